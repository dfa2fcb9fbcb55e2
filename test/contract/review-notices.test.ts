import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sendNotices } from "../../src/domain/review/send-notices.ts";
import worker from "../../src/worker.ts";
import { admin } from "../support/admin.ts";
import { type SentMail, watchMails } from "../support/mails.ts";
import { post } from "../support/partner.ts";
import type { Studio } from "../support/review.ts";
import { makeReview, rowsOfDeliverable } from "../support/reviewer.ts";

let mails: SentMail[];
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  mails = watchMails();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const services = {
  db: env.DB,
  email: env.EMAIL,
  mailFrom: env.MAIL_FROM,
  applicationUrl: env.APPLICATION_URL,
};
const minute = async () => {
  const execution = createExecutionContext();
  await worker.scheduled({} as ScheduledController, env);
  await waitOnExecutionContext(execution);
};

/** What happened in a review, told to somebody; the mail that asks for the review is none of it. */
const notices = ({ ownerEmail }: Studio) =>
  mails
    .filter(({ subject }) => !subject.includes("asks you to review"))
    .map(({ to, subject }) => `${to === ownerEmail ? "owner" : to}: ${subject}`);

async function signed() {
  const made = await makeReview();
  await post(made.studio, `/api-v1/deliverables/${made.id}/send`, {});
  const link = /^https:\S+$/m.exec(mails.at(-1)?.text ?? "")?.[0] ?? "";
  await made.visitor.follow(link);
  await made.visitor.signOff();
  return made;
}

const settled = (id: string) =>
  vi.waitFor(async () => {
    const rows = await rowsOfDeliverable("review_notices", id);
    expect(rows.every(({ sent_at }) => sent_at !== null)).toBe(true);
  }, 10_000);

describe("who is mailed what happened in a review", () => {
  it("the owner, of feedback: who said what of which version, and where", async () => {
    const { studio, id, visitor } = await makeReview();
    await visitor.comment("Larger <moon>\nplease", { kind: "change_request" });
    await settled(id);
    expect(notices(studio)).toEqual(["owner: Nora Wind requests changes to Homepage concept"]);
    const [mail] = mails as [SentMail];
    expect(mail.text).toContain("> Larger <moon>\n> please");
    expect(mail.html).toContain("Larger &lt;moon&gt;<br>please");
    expect(mail.text).toContain(`https://app.example.com${visitor.path}`);
  });

  it("owner and client, of a sign-off, with the certificate", async () => {
    const { studio, id, visitor } = await signed();
    await settled(id);
    expect(notices(studio).sort()).toEqual([
      "nora@northwind.example: Signed off: Homepage concept",
      "owner: Signed off: Homepage concept",
    ]);
    for (const mail of mails.slice(-2)) {
      expect(mail.text).toContain(`https://app.example.com${visitor.path}/certificate`);
      expect(mail.text).not.toMatch(/203\.0\.113\.7|Test browser/);
    }
  });

  it("nobody, of what an admin recorded or of sample data", async () => {
    const recorded = await makeReview();
    await admin(recorded.studio, "record-feedback", {
      deliverable: recorded.id,
      kind: "comment",
      body: "By phone",
      author_name: "Nora",
    });
    await admin(recorded.studio, "sign-off-deliverable", { deliverable: recorded.id, signer_name: "Nora" });
    const sample = await makeReview();
    await env.DB.prepare("UPDATE clients SET is_sample = 1 WHERE id = ?").bind(sample.studio.clientId).run();
    await sample.visitor.comment("Sample");
    await minute();
    expect([...notices(recorded.studio), ...notices(sample.studio)]).toEqual([]);
  });
});

describe("each mail goes out once", () => {
  it("whoever sends it at the same time", async () => {
    const { studio, id } = await signed();
    await Promise.all([1, 2, 3].map(() => sendNotices(services, null)));
    await settled(id);
    await minute();
    expect(notices(studio)).toHaveLength(2);
  });

  it("also when it failed at first: the minute heals it, later each time", async () => {
    const { studio, id, visitor } = await makeReview();
    const failing = vi.spyOn(env.EMAIL, "send").mockRejectedValue(new Error("down"));
    await visitor.comment("Hello");
    await vi.waitFor(
      async () => expect((await rowsOfDeliverable("review_notices", id))[0]?.attempts).toBe(1),
      10_000,
    );
    failing.mockRestore();
    mails = watchMails();
    await minute();
    expect(notices(studio)).toEqual([]);
    await due(id);
    await minute();
    expect(notices(studio)).toEqual(["owner: Nora Wind commented on Homepage concept"]);
    await due(id);
    await minute();
    expect(notices(studio)).toHaveLength(1);
  });

  it("also when whoever was about to send it died", async () => {
    const { studio, id, visitor } = await makeReview();
    vi.spyOn(env.EMAIL, "send").mockRejectedValueOnce(new Error("down"));
    await visitor.comment("Hello");
    await vi.waitFor(
      async () => expect((await rowsOfDeliverable("review_notices", id))[0]?.attempts).toBe(1),
      10_000,
    );
    await due(id);
    await lease(id, "+1 minute");
    await sendNotices(services, studio.organizationId);
    expect(notices(studio)).toEqual([]);
    await lease(id, "-1 second");
    await sendNotices(services, studio.organizationId);
    expect(notices(studio)).toHaveLength(1);
  });

  it("and is given up after two days of trying", async () => {
    const { studio, id, visitor } = await makeReview();
    await visitor.comment("Hello");
    await settled(id);
    await env.DB.prepare(
      `UPDATE review_notices SET attempts = 15, sent_at = NULL, due_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
        WHERE deliverable_id = ?`,
    )
      .bind(id)
      .run();
    vi.spyOn(env.EMAIL, "send").mockRejectedValueOnce(new Error("down"));
    await expect(sendNotices(services, studio.organizationId)).rejects.toThrow();
    expect(await rowsOfDeliverable("review_notices", id)).toMatchObject([
      { attempts: 16, due_at: null, sent_at: null },
    ]);
  });
});

const due = (id: string) =>
  env.DB.prepare(
    `UPDATE review_notices SET due_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE deliverable_id = ?
      AND due_at IS NOT NULL`,
  )
    .bind(id)
    .run();

const lease = (id: string, shift: string) =>
  env.DB.prepare(
    "UPDATE review_notices SET leased_until = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?) WHERE deliverable_id = ?",
  )
    .bind(shift, id)
    .run();
