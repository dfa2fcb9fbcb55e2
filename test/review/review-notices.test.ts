import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { momentText } from "../../src/core/mails/compose-mail.ts";
import { sendDigests } from "../../src/core/mails/send-digests.ts";
import { sendNotices } from "../../src/review/notices/send-notices.ts";
import { servicesOf } from "../../src/services.ts";
import worker from "../../src/worker.ts";
import { admin } from "../support/admin.ts";
import { type SentMail, watchMails } from "../support/mails.ts";
import { restoreDatabase, setTripOutcomes } from "../support/outages.ts";
import { post } from "../support/partner.ts";
import { makeClient, makeDeliverable, makeStudio, type Studio } from "../support/review.ts";
import { makeReview, rowsOfDeliverable } from "../support/reviewer.ts";

let mails: SentMail[];
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  mails = watchMails();
});

const services = servicesOf(env);
const minute = async () => {
  const execution = createExecutionContext();
  await worker.scheduled({} as ScheduledController, env);
  await waitOnExecutionContext(execution);
};

const notices = ({ ownerEmail }: Studio) =>
  mails
    .filter(({ subject }) => !subject.endsWith("is ready for your review"))
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

describe("notices about a review", () => {
  it("go to each client only about that client's own sign-off", async () => {
    const studio = await makeStudio();
    const { organizationId } = studio;
    const names = ["Ada", "Ben", "Cleo"];
    const signing = names.map(async (name) => {
      const client_id = await makeClient(studio, { email: `${name}@northwind.example` });
      const id = await makeDeliverable(studio, { client_id, title: `Work for ${name}` });
      return env.DB.prepare(
        `INSERT INTO sign_offs (id, organization_id, deliverable_id, version_number, signer_name, attribution)
          VALUES (?, ?, ?, 1, ?, 'mailed_link')`,
      ).bind(crypto.randomUUID(), organizationId, id, `Signer ${name}`);
    });
    await env.DB.batch(await Promise.all(signing));
    await sendNotices(services, organizationId);
    const told = mails.map(({ to, subject, text }) => [to, subject, /Signer \w+/.exec(text)?.[0]]);
    const expected = names.flatMap((name) =>
      [studio.ownerEmail, `${name}@northwind.example`].map((to) => [
        to,
        `Signed off: Work for ${name}`,
        `Signer ${name}`,
      ]),
    );
    expect(told.sort()).toEqual(expected.sort());
  });

  it("go to the owner about feedback, with the author, the version and a link", async () => {
    const { studio, id, visitor } = await makeReview();
    await post(studio, `/api-v1/deliverables/${id}/send`, {});
    await visitor.follow(/^https:\S+$/m.exec(mails.at(-1)?.text ?? "")?.[0] ?? "");
    await visitor.comment("Larger <moon>\nplease", { kind: "change_request" });
    await settled(id);
    expect(notices(studio).at(-1)).toBe("owner: Nora Wind asks for changes to Homepage concept");
    const mail = mails.at(-1) as SentMail;
    expect(mail.text).toContain("About version 1:");
    expect(mail.text).toContain("> Larger <moon>\n> please");
    expect(mail.html).toContain("Larger &lt;moon&gt;<br>please");
    expect(mail.text).toContain(`https://app.example.com${visitor.path}`);
  });

  it("go to the owner about feedback through the bare link, without its text or author [P16]", async () => {
    const { studio, id, visitor } = await makeReview();
    await visitor.comment("Pay at https://evil.example", {
      author_name: "Your bank",
      kind: "change_request",
    });
    await settled(id);
    expect(notices(studio)).toEqual(["owner: New request for changes to Homepage concept"]);
    expect(JSON.stringify(mails)).not.toMatch(/evil|bank/);
    expect(mails[0]?.text).toContain(`https://app.example.com${visitor.path}`);
  });

  it("go to the owner and the client about a sign-off, with a link to the certificate", async () => {
    const { studio, id, visitor } = await signed();
    await settled(id);
    expect(notices(studio).sort()).toEqual([
      "nora@northwind.example: Signed off: Homepage concept",
      "owner: Signed off: Homepage concept",
    ]);
    const [{ created_at = "" } = {}] = (await rowsOfDeliverable("sign_offs", id)) as { created_at: string }[];
    const at = momentText(created_at);
    const signedOff = [
      "Signed off: Nora Wind accepted Homepage concept",
      `Signed by: Nora Wind\nWhen: ${at}`,
    ];
    const toOwner = "You received this e-mail as the owner of the workspace Test studio.";
    const toClient = "the sign-off was made in your name for Test studio. If it was not you, reply now.";
    for (const [to, name, said] of [
      [studio.ownerEmail, "Countersign", toOwner],
      ["nora@northwind.example", "Test studio via Countersign", toClient],
    ]) {
      const mail = mails.slice(-2).find((one) => one.to === to);
      expect(mail?.from.name).toBe(name);
      for (const words of [...signedOff, said]) expect(mail?.text).toContain(words);
    }
    const answered = mails.slice(-2).map(({ to, replyTo }) => [to, replyTo]);
    expect(new Map(answered as [string, string][])).toEqual(
      new Map([
        [studio.ownerEmail, undefined],
        ["nora@northwind.example", studio.ownerEmail],
      ]),
    );
    for (const mail of mails.slice(-2)) {
      expect(mail.text).toContain(`https://app.example.com${visitor.path}/certificate`);
      expect(mail.text).not.toMatch(/203\.0\.113\.7|Test browser/);
    }
  });

  it("go to the longest-standing owner, even if an admin joined earlier", async () => {
    const { studio, id, visitor } = await makeReview();
    // Of two owners with the same created_at, the first one inserted is chosen, whatever the ids.
    for (const [member, name, role, created_at] of [
      ["f", "a", "owner", "2020-01-01T00:00:00.000Z"],
      ["0", "b", "owner", "2020-01-01T00:00:00.000Z"],
      ["c", "c", "admin", "2019-01-01T00:00:00.000Z"],
    ])
      await env.DB.prepare(
        `INSERT INTO members (id, organization_id, email, role, created_at)
          VALUES (?1 || ?2, ?2, ?3 || '@example.com', ?4, ?5)`,
      )
        .bind(member, studio.organizationId, name, role, created_at)
        .run();
    await visitor.comment("Hello");
    await settled(id);
    expect(mails.map(({ to }) => to)).toEqual(["a@example.com"]);
  });

  it("are not sent for feedback and sign-offs that an admin recorded, or for sample data", async () => {
    const recorded = await makeReview();
    await admin(recorded.studio, "record-feedback", {
      deliverable: recorded.id,
      kind: "comment",
      body: "By phone",
      author_name: "Nora",
    });
    await admin(recorded.studio, "sign-off-deliverable", { deliverable: recorded.id, signer_name: "Nora" });
    const [client, work] = [await makeReview(), await makeReview()];
    await env.DB.prepare("UPDATE clients SET is_sample = 1 WHERE id = ?").bind(client.studio.clientId).run();
    await env.DB.prepare("UPDATE deliverables SET is_sample = 1 WHERE id = ?").bind(work.id).run();
    for (const { visitor } of [client, work]) await visitor.comment("Sample");
    await minute();
    expect([recorded, client, work].flatMap(({ studio }) => notices(studio))).toEqual([]);
  });
});

describe("the e-mail of a notice [P16]", () => {
  it("is sent only once by two concurrent runs", async () => {
    const { studio, id } = await signed();
    await Promise.all([1, 2, 3].map(() => sendNotices(services, null)));
    await settled(id);
    await minute();
    expect(notices(studio)).toHaveLength(2);
  });

  it("is sent only once even if the first attempt failed", async () => {
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
    expect(notices(studio)).toEqual(["owner: New comment on Homepage concept"]);
    await due(id);
    await minute();
    expect(notices(studio)).toHaveLength(1);
  });

  it("is sent only once even if a run crashed before it was sent", async () => {
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

  it.each(["lost", "answer lost"] as const)(
    "is sent only once even if the update after sending is %s",
    async (fate) => {
      const { studio, id } = await waiting();
      // The trips are the lookup, the lease, the count and the update after sending.
      setTripOutcomes((trip) => (trip === 4 ? fate : "through"));
      await sendNotices(services, studio.organizationId);
      restoreDatabase();
      await due(id);
      await lease(id, "-1 second");
      await sendNotices(services, studio.organizationId);
      expect(notices(studio)).toHaveLength(1);
    },
  );

  it("contains the workspace's and the client's current data", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    await env.DB.prepare(
      `INSERT INTO sign_offs (id, organization_id, deliverable_id, version_number, signer_name, attribution)
        VALUES (?1, ?2, ?1, 1, 'Nora Wind', 'mailed_link')`,
    )
      .bind(id, studio.organizationId)
      .run();
    await env.DB.prepare(
      `UPDATE review_notices SET due_at = '2026-01-31T09:30:00.000Z'
        WHERE deliverable_id = ? AND recipient = 'owner'`,
    )
      .bind(id)
      .run();
    vi.mocked(env.EMAIL.send).mockImplementationOnce(async () => {
      await admin(studio, "update-client", { id: studio.clientId, email: "new@northwind.example" });
      return { messageId: "1" };
    });
    await sendNotices(services, studio.organizationId);
    expect(mails.map(({ to }) => to)).toEqual(["new@northwind.example"]);
  });

  it("is sent under a two-minute lease", async () => {
    const { studio, id } = await waiting();
    const heldSeconds: number[] = [];
    vi.spyOn(env.EMAIL, "send").mockImplementationOnce(async () => {
      const [{ leased_until } = {}] = await rowsOfDeliverable("review_notices", id);
      heldSeconds.push((Date.parse(String(leased_until)) - Date.now()) / 1000);
      return { messageId: "1" };
    });
    await sendNotices(services, studio.organizationId);
    expect(Math.abs((heldSeconds[0] ?? 0) - 120)).toBeLessThan(20);
  });

  it.each([
    [0, 1],
    [3, 8],
    [8, 256],
    [9, 360],
    [14, 360],
  ])(
    "with a backoff: after %i earlier failures, the next attempt is in %i minutes",
    async (attempts, minutes) => {
      const { studio, id } = await waiting();
      await env.DB.prepare("UPDATE review_notices SET attempts = ? WHERE deliverable_id = ?")
        .bind(attempts, id)
        .run();
      vi.spyOn(env.EMAIL, "send").mockRejectedValueOnce(new Error("down"));
      const failedMs = Date.now();
      await expect(sendNotices(services, studio.organizationId)).rejects.toThrow();
      const [{ due_at } = {}] = await rowsOfDeliverable("review_notices", id);
      expect((Date.parse(String(due_at)) - failedMs) / 60_000).toBeCloseTo(minutes, 0);
    },
  );

  it("is sent right after a change, only for the changed workspace", async () => {
    const here = await waiting();
    await waiting();
    const APPLICATION_URL = `${env.APPLICATION_URL}/`;
    await sendNotices(servicesOf({ ...env, APPLICATION_URL }), here.studio.organizationId);
    expect(mails.map(({ to }) => to)).toEqual([here.studio.ownerEmail]);
    expect(mails[0]?.text).toContain(`https://app.example.com${here.visitor.path}`);
  });

  it("is one of at most 50 per minute", async () => {
    const { studio, id } = await waiting(51);
    await sendNotices(services, studio.organizationId);
    expect(
      (await rowsOfDeliverable("review_notices", id)).filter(({ sent_at }) => sent_at === null),
    ).toHaveLength(1);
  });

  it("is no longer sent after two days of failed attempts", async () => {
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

describe("after 30 notices in a day to one address", () => {
  const counts = async ({ organizationId }: Studio) =>
    (
      await env.DB.prepare(
        "SELECT address, notices, held_notices FROM mail_counts WHERE organization_id = ? AND address <> ''",
      )
        .bind(organizationId)
        .all()
    ).results;
  /** Notices to this owner. A cron run also sends other tests' notices. */
  const ofOwner = ({ ownerEmail }: Studio) => mails.filter(({ to }) => to === ownerEmail);
  const endDay = ({ organizationId }: Studio) =>
    env.DB.prepare("UPDATE mail_counts SET day = date('now', '-1 day') WHERE organization_id = ?")
      .bind(organizationId)
      .run();

  it("the rest are counted in one digest at the end of the day", async () => {
    const { studio, id } = await waiting(33);
    await sendNotices(services, studio.organizationId);
    expect(ofOwner(studio)).toHaveLength(30);
    expect(await counts(studio)).toEqual([{ address: studio.ownerEmail, notices: 30, held_notices: 3 }]);
    await settled(id);
    await minute();
    expect(ofOwner(studio)).toHaveLength(30);
    await endDay(studio);
    await Promise.all([minute(), minute()]);
    expect(
      ofOwner(studio)
        .slice(30)
        .map(({ subject }) => subject),
    ).toEqual(["3 more notifications in Test studio"]);
    expect(await counts(studio)).toEqual([
      { address: studio.ownerEmail, notices: 30, held_notices: 0 },
      { address: studio.ownerEmail, notices: 1, held_notices: 0 },
    ]);
  });

  it("sign-offs and notices to other addresses are still sent at once", async () => {
    const { studio } = await waiting(30);
    await sendNotices(services, studio.organizationId);
    mails.length = 0;
    const id = await makeDeliverable(studio);
    await env.DB.prepare(
      `INSERT INTO sign_offs (id, organization_id, deliverable_id, version_number, signer_name, attribution)
        VALUES (?, ?, ?, 1, 'Nora', 'mailed_link')`,
    )
      .bind(crypto.randomUUID(), studio.organizationId, id)
      .run();
    const other = await waiting();
    await sendNotices(services, null);
    expect(mails.map(({ to }) => to).sort()).toEqual(
      [studio.ownerEmail, other.studio.ownerEmail, "nora@northwind.example"].sort(),
    );
  });

  it("a failed digest is retried half an hour later", async () => {
    const { studio, id } = await waiting(31);
    vi.spyOn(env.EMAIL, "send").mockRejectedValueOnce(new Error("down"));
    await expect(sendNotices(services, studio.organizationId)).rejects.toThrow();
    expect(await counts(studio)).toMatchObject([{ notices: 30, held_notices: 0 }]);
    await due(id);
    await sendNotices(services, studio.organizationId);
    expect(await counts(studio)).toMatchObject([{ notices: 30, held_notices: 1 }]);
    await endDay(studio);
    mails.length = 0;
    vi.spyOn(env.EMAIL, "send").mockRejectedValueOnce(new Error("down"));
    await expect(sendDigests(services)).rejects.toThrow("1 digests were not sent");
    await sendDigests(services);
    expect(ofOwner(studio)).toHaveLength(0);
    await env.DB.prepare(
      "UPDATE mail_counts SET digest_leased_until = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE organization_id = ?",
    )
      .bind(studio.organizationId)
      .run();
    await sendDigests(services);
    expect(ofOwner(studio).map(({ subject }) => subject)).toEqual(["1 more notification in Test studio"]);
  });
});

async function waiting(comments = 1) {
  const made = await makeReview();
  await env.DB.prepare(
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
      INSERT INTO feedback (id, organization_id, deliverable_id, version_number, kind, body, author_name, attribution)
      SELECT n || ?3, ?2, ?3, 1, 'comment', 'Hello', 'Nora Wind', 'link_only' FROM number`,
  )
    .bind(comments, made.studio.organizationId, made.id)
    .run();
  return made;
}

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
