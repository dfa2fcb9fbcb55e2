import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { sendReminders } from "../../src/review/reminders/send-reminders.ts";
import type { DryRunSend, Send } from "../../src/review/sends/record.ts";
import { servicesOf } from "../../src/services.ts";
import { admin, refusal } from "../support/admin.ts";
import { addressIn, type SentMail, watchMails } from "../support/mails.ts";
import { post } from "../support/partner.ts";
import {
  countRows,
  makeClient,
  makeDeliverable,
  makeStudio,
  readDeliverable,
  type Studio,
  signOff,
} from "../support/review.ts";
import { makeReview, Reviewer } from "../support/reviewer.ts";
import { wordsOf } from "../support/words.ts";

const dayMs = 86_400_000;

let mails: SentMail[];
beforeEach(() => {
  mails = watchMails();
});

const sql = (text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run();

const send = async (studio: Studio, id: string, body: object = { remind_after_days: 7 }) =>
  (await post(studio, `/api-v1/deliverables/${id}/send`, body)).json<Send>();

const dueAt = async (studio: Studio, id: string) => (await readDeliverable(studio, id)).reminder_due_at;

const later = (at: string, days: number) => new Date(Date.parse(at) + days * dayMs).toISOString();

async function remind(id: string): Promise<SentMail[]> {
  const before = mails.length;
  await sql(
    "UPDATE deliverables SET reminder_due_at = ? WHERE id = ? AND reminder_due_at IS NOT NULL",
    new Date(Date.now() - 1000).toISOString(),
    id,
  );
  await sendReminders(servicesOf(env));
  return mails.slice(before);
}

const remindersOf = async ({ organizationId }: Studio) => {
  const found =
    "SELECT payload FROM events WHERE organization_id = ? AND event = 'deliverable.reminded' ORDER BY sequence";
  const { results } = await env.DB.prepare(found).bind(organizationId).all<{ payload: string }>();
  return results.map(({ payload }) => JSON.parse(payload).data);
};

async function makeSent() {
  const review = await makeReview();
  await send(review.studio, review.id);
  return review;
}

describe("the reminder setting", () => {
  it("applies to every send that does not override it [V16, V25]", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    expect(await send(studio, id, {})).toMatchObject({ reminder_due_at: null });
    expect(await admin(studio, "set-reminders", { days: "3" })).toEqual({ reminder_days: 3 });
    expect(await dueAt(studio, id)).toBeNull();
    for (const [body, days] of [
      [{}, 3],
      [{ remind_after_days: 30 }, 30],
      [{ remind_after_days: 0 }, 0],
    ] as const) {
      const due = ({ sent_at }: Send) => (days === 0 ? null : later(sent_at, days));
      const dry = await (
        await post(studio, `/api-v1/deliverables/${id}/send?dry_run=true`, body)
      ).json<DryRunSend>();
      expect(dry.reminder_due_at).toBe(due(dry));
      const sent = await send(studio, id, body);
      expect([sent.reminder_due_at, await dueAt(studio, id)]).toEqual([due(sent), due(sent)]);
    }
    expect(await countRows("audit_log", studio)).toBe(1);
  });

  it.each(["-1", "31", "1.5"])("cannot be set to %s days", async (days) => {
    expect((await refusal(await makeStudio(), "set-reminders", { days })).message).toMatch(/^days must /);
  });

  it("may be at most 30 days in a send", async () => {
    const studio = await makeStudio();
    const answer = await post(studio, `/api-v1/deliverables/${await makeDeliverable(studio)}/send`, {
      remind_after_days: 31,
    });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: "remind_after_days must be at most 30" },
    ]);
  });
});

describe("a reminder", () => {
  it("is sent three times at the same interval, each time with a new personal link and an event [V26]", async () => {
    const { studio, id, visitor } = await makeSent();
    const links = [addressIn(mails[0] as SentMail)];
    for (const reminder of [1, 2, 3]) {
      const [mail, ...others] = await remind(id);
      if (!mail) throw new Error(`no reminder ${reminder}`);
      expect(others).toEqual([]);
      expect([mail.to, mail.from.name, mail.replyTo, mail.subject]).toEqual([
        "nora@northwind.example",
        "Test studio via Countersign",
        studio.ownerEmail,
        "Reminder: Homepage concept is waiting for your review",
      ]);
      links.push(addressIn(mail));
      const last = await env.DB.prepare(
        "SELECT max(sent_at) AS at FROM deliverable_sends WHERE deliverable_id = ?",
      )
        .bind(id)
        .first<string>("at");
      expect(await dueAt(studio, id)).toBe(reminder < 3 ? later(last ?? "", 7) : null);
    }
    expect(new Set(links).size).toBe(4);
    for (const link of links)
      expect((await visitor.follow(link)).headers.getSetCookie().join()).toContain("review_key=");
    expect(await remindersOf(studio)).toEqual(
      [1, 2, 3].map((reminder) => ({
        deliverable_id: id,
        title: "Homepage concept",
        version_number: 1,
        review_state: "in_review",
        client_id: studio.clientId,
        client_name: "Nora Wind",
        project_id: null,
        project_name: "",
        reminder,
        next_reminder_at: reminder < 3 ? expect.any(String) : null,
      })),
    );
    const counted = "SELECT mails, notices FROM mail_counts WHERE organization_id = ? AND address <> ''";
    expect(await env.DB.prepare(counted).bind(studio.organizationId).first()).toEqual({
      mails: 4,
      notices: 0,
    });
    const { sent_at } = await readDeliverable(studio, id);
    expect(Date.parse(sent_at ?? "")).toBeLessThan(Date.now());
    expect(await remind(id)).toEqual([]);
  });

  it("is not sent before it is due", async () => {
    const { studio, id } = await makeSent();
    await sendReminders(servicesOf(env));
    expect([mails.length, await dueAt(studio, id)]).toEqual([1, expect.any(String)]);
  });

  type Sent = Awaited<ReturnType<typeof makeSent>>;
  const feedback =
    (kind: string) =>
    ({ studio, id }: Sent) =>
      admin(studio, "record-feedback", { deliverable: id, kind, author_name: "Nora", body: "Larger" });
  const ends: [string, (sent: Sent) => Promise<unknown>][] = [
    ["a comment on the page", ({ visitor }) => visitor.comment("Lovely")],
    ["a recorded comment", feedback("comment")],
    ["a change request", feedback("change_request")],
    ["a sign-off", ({ studio, id }) => signOff(studio, id)],
    ["a new version", ({ studio, id }) => post(studio, `/api-v1/deliverables/${id}/versions`, {})],
    ["another send", ({ studio, id }) => send(studio, id, { remind_after_days: 0 })],
    [
      "archiving the client",
      ({ studio }) => admin(studio, "update-client", { id: studio.clientId, status: "archived" }),
    ],
    ["erasing the client", ({ studio }) => admin(studio, "erase-client", { id: studio.clientId })],
  ];
  it.each(ends)("is canceled by %s [V27]", async (_, end) => {
    const sent = await makeSent();
    await end(sent);
    expect(await dueAt(sent.studio, sent.id)).toBeNull();
    const subjects = (await remind(sent.id)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith("Reminder"))).toEqual([]);
  });

  it("stays scheduled when the workspace replies [V27]", async () => {
    const { studio, id } = await makeSent();
    const due = await dueAt(studio, id);
    await admin(studio, "reply-to-review", { deliverable: id, body: "Any thoughts?" });
    expect(await dueAt(studio, id)).toBe(due);
  });

  it("is not followed by another if the client responds while it is being e-mailed [V27]", async () => {
    const { studio, id, visitor } = await makeSent();
    vi.mocked(env.EMAIL.send).mockImplementationOnce(async () => {
      await visitor.comment("Lovely");
      return { messageId: "1" };
    });
    await remind(id);
    expect([await dueAt(studio, id), (await remindersOf(studio)).length]).toEqual([null, 1]);
  });

  it("is not e-mailed if the client responds just before it is sent [V27]", async () => {
    const { studio, id } = await makeSent();
    await sql("UPDATE deliverables SET reminder_due_at = '2026-01-01T00:00:00.000Z' WHERE id = ?", id);
    const batch = env.DB.batch.bind(env.DB);
    let trips = 0;
    vi.spyOn(env.DB, "batch").mockImplementation(async (statements: D1PreparedStatement[]) => {
      trips += 1;
      if (trips === 3)
        await batch([env.DB.prepare("UPDATE deliverables SET reminder_due_at = NULL WHERE id = ?").bind(id)]);
      return batch(statements) as never;
    });
    await sendReminders(servicesOf(env)).catch(() => {});
    vi.mocked(env.DB.batch).mockRestore();
    expect([mails.length, await dueAt(studio, id)]).toEqual([1, null]);
  });

  it.each([
    ["the client is a sample", "UPDATE clients SET is_sample = 1 WHERE id = ?1"],
    ["the deliverable is a sample", "UPDATE deliverables SET is_sample = 1 WHERE client_id = ?1"],
    ["the client has no e-mail address", "UPDATE clients SET email = NULL WHERE id = ?1"],
  ])("is canceled without an e-mail if %s [V28]", async (_, change) => {
    const { studio, id } = await makeSent();
    await sql(change, studio.clientId);
    expect(await remind(id)).toEqual([]);
    expect(await dueAt(studio, id)).toBeNull();
  });

  it("is not scheduled for an archived client", async () => {
    const studio = await makeStudio();
    const client_id = await makeClient(studio);
    const id = await makeDeliverable(studio, { client_id });
    await admin(studio, "update-client", { id: client_id, status: "archived" });
    expect(await send(studio, id)).toMatchObject({ reminder_due_at: null });
    expect(await dueAt(studio, id)).toBeNull();
  });

  it.each([
    ["the workspace's", ""],
    ["the client's", "nora@northwind.example"],
  ])("waits while %s daily e-mail limit is used up [V28]", async (_, address) => {
    const { studio, id } = await makeSent();
    const mailed = (count: number) =>
      sql(
        "UPDATE mail_counts SET mails = ? WHERE organization_id = ? AND address = ?",
        count,
        studio.organizationId,
        address,
      );
    await mailed(2_000);
    expect(await remind(id)).toEqual([]);
    expect(await dueAt(studio, id)).not.toBeNull();
    await mailed(0);
    expect(await remind(id)).toHaveLength(1);
  });
});

describe("the Stop reminders button", () => {
  async function makeReminded() {
    const sent = await makeSent();
    const [mail] = await remind(sent.id);
    const link = /^Stop reminders:\n(\S+)$/m.exec(mail?.text ?? "")?.[1] ?? "";
    expect(mail?.html).toContain(`href="${link}"`);
    const { studio, id } = sent;
    return { studio, id, path: new URL(link).pathname, visitor: new Reviewer(link) };
  }

  it("is on the linked page, and opening the page changes nothing [V29]", async () => {
    const { studio, id, path, visitor } = await makeReminded();
    const due = await dueAt(studio, id);
    const page = await (await visitor.fetch(path)).text();
    expect(wordsOf(page)).toContain("Test studio is waiting for your review of Homepage concept");
    expect(page).toMatch(
      new RegExp(`<form[^>]* method="post" action="${path}">.*Stop reminders</button></form>`, "s"),
    );
    expect(await dueAt(studio, id)).toBe(due);
    const stopped = await visitor.fetch(path, {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin" },
    });
    expect([stopped.status, stopped.headers.get("location")]).toEqual([303, path]);
    expect(wordsOf(await (await visitor.fetch(path)).text())).toContain("won't send you any more reminders");
    expect(await dueAt(studio, id)).toBeNull();
    expect(await remind(id)).toEqual([]);
  });

  it("returns 404 without the key from an e-mail about this review [V29]", async () => {
    const { studio, id, path, visitor } = await makeReminded();
    const other = await makeReminded();
    const [, review, token, key, end] = path.split("/");
    const foreign = other.path.split("/")[3];
    for (const address of [foreign, "A".repeat(43), "none"].map((wrong) =>
      ["", review, token, wrong, end].join("/"),
    ))
      for (const method of ["GET", "POST"])
        expect((await visitor.fetch(address, { method })).status).toBe(404);
    expect([key?.length, await dueAt(studio, id)]).toEqual([43, expect.any(String)]);
  });
});
