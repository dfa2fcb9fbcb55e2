import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { purgeMailCounts } from "../../src/core/mails/purge-mail-counts.ts";
import { consumeEmailEvents } from "../../src/queues/email-events.ts";
import { sendReminders } from "../../src/review/reminders/send-reminders.ts";
import type { MailEventRecord } from "../../src/review/returned-mails/record.ts";
import { servicesOf } from "../../src/services.ts";
import worker from "../../src/worker.ts";
import { admin, refusal } from "../support/admin.ts";
import { logged } from "../support/logged.ts";
import { type SentMail, watchMails } from "../support/mails.ts";
import { restoreDatabase, setTripOutcomes } from "../support/outages.ts";
import { post } from "../support/partner.ts";
import { readDeliverable, type Studio, signOff } from "../support/review.ts";
import { makeReview } from "../support/reviewer.ts";
import { ownerAtHome, SettingsBrowser, signedIn } from "../support/settings.ts";

let mails: SentMail[];
beforeEach(() => {
  mails = watchMails();
});

const sql = async <T = Record<string, unknown>>(text: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(text)
      .bind(...values)
      .all<T>()
  ).results;

async function makeSent() {
  const { studio, id } = await makeReview();
  await send(studio, id);
  return { studio, id, messageId: await messageIdOf(id) };
}

const send = (studio: Studio, id: string, body: object = {}) =>
  post(studio, `/api-v1/deliverables/${id}/send`, body);

const messageIdOf = async (id: string) => {
  const [newest] = await sql<{ message_id: string }>(
    "SELECT message_id FROM deliverable_sends WHERE deliverable_id = ? ORDER BY rowid DESC LIMIT 1",
    id,
  );
  return String(newest?.message_id);
};

const bounced = (messageId: string, more: object = {}) => ({
  type: "cf.email.sending.message.bounced",
  source: { type: "email.sending", zoneId: "023e105f4ecef8ad9ca31a8372d0c353", domain: "example.com" },
  payload: {
    eventId: crypto.randomUUID(),
    messageId,
    recipient: "nora@northwind.example",
    terminal: true,
    delivery: { status: "bounced" },
    bounce: { type: "hard", reason: "550 5.1.1 <nora@northwind.example>: User unknown" },
    ...more,
  },
  metadata: { eventSchemaVersion: 1, eventTimestamp: "2026-06-01T02:48:57.132Z" },
});

const problem = {
  at: "2026-06-01T02:48:57.132Z",
  kind: "bounced",
  reason: "550 5.1.1 <[address]>: User unknown",
};

async function consume(...bodies: unknown[]) {
  const made = bodies.map((body, index) => ({ id: `${index}`, timestamp: new Date(), attempts: 1, body }));
  const messages = createMessageBatch("email-events", made);
  const delays: unknown[] = [];
  for (const message of messages.messages) message.retry = (options) => delays.push(options?.delaySeconds);
  await consumeEmailEvents(messages, servicesOf(env));
  return delays;
}

const problemOf = async (studio: Studio, id: string) => (await readDeliverable(studio, id)).delivery_problem;

const failures = async ({ organizationId }: Studio) =>
  (
    await sql<{ payload: string }>(
      "SELECT payload FROM events WHERE organization_id = ? AND event = 'deliverable.send_failed' ORDER BY sequence",
      organizationId,
    )
  ).map(({ payload }) => JSON.parse(payload).data);

const toOwner = ({ ownerEmail }: Studio) => mails.filter(({ to }) => to === ownerEmail);

const unmatched = async (messageId: string) =>
  (await sql("SELECT 1 FROM mail_events WHERE message_id = ?", messageId)).length;

describe("a review e-mail that bounces", () => {
  it("is shown on the deliverable, recorded as an event and e-mailed to the owner once [V31, V32]", async () => {
    const { studio, id, messageId } = await makeSent();
    expect(messageId).toMatch(/^[^<>]+@[^<>]+$/);
    expect(await problemOf(studio, id)).toBeNull();
    await env.EMAIL_EVENTS.send(bounced(`<${messageId}>`));
    await vi.waitFor(async () => expect(await problemOf(studio, id)).toEqual(problem), 10_000);
    await consume(bounced(messageId), bounced(messageId, { eventId: "another" }));
    const [failure, ...others] = await failures(studio);
    expect(others).toEqual([]);
    expect(failure).toMatchObject({
      deliverable_id: id,
      version_number: 1,
      review_state: "in_review",
      client_id: expect.any(String),
      kind: "bounced",
      reason: problem.reason,
    });
    await vi.waitFor(() => expect(toOwner(studio)).toHaveLength(1), 10_000);
    expect(toOwner(studio)[0]?.subject).toMatch(/^Not delivered: /);
    expect(toOwner(studio)[0]?.text).toMatch(/\/settings\/[\w-]+\/clients\/[\w-]{36}/);
    await send(studio, id);
    expect(await problemOf(studio, id)).toBeNull();
    await consume(bounced(messageId));
    expect(await problemOf(studio, id)).toBeNull();
  });

  it("is also shown for a reminder, without a second e-mail to the owner [V32]", async () => {
    const { studio, id } = await makeReview();
    await send(studio, id, { remind_after_days: 7 });
    await consume(bounced(await messageIdOf(id)));
    await sql("UPDATE deliverables SET reminder_due_at = ? WHERE id = ?", new Date().toISOString(), id);
    await sendReminders(servicesOf(env));
    await consume(bounced(await messageIdOf(id), { bounce: { reason: "552 Mailbox full" } }));
    expect(await problemOf(studio, id)).toMatchObject({ reason: "552 Mailbox full" });
    expect([(await failures(studio)).length, toOwner(studio).length]).toEqual([2, 1]);
  });

  it("changes nothing for an earlier send or a signed-off deliverable [V32]", async () => {
    const { studio, id, messageId } = await makeSent();
    await send(studio, id);
    await consume(bounced(messageId));
    expect(await problemOf(studio, id)).toBeNull();
    await consume(bounced(await messageIdOf(id)));
    await signOff(studio, id);
    expect(await problemOf(studio, id)).toBeNull();
    expect(await failures(studio)).toHaveLength(1);
  });

  it("is stored until the message id of the e-mail is recorded [V35]", async () => {
    const { studio, id, messageId } = await makeSent();
    const later = `later-${messageId}`;
    await consume(bounced(later));
    expect(await unmatched(later)).toBe(1);
    await sql(
      "INSERT INTO deliverable_sends (organization_id, deliverable_id, version_number, message_id) VALUES (?, ?, 1, ?)",
      studio.organizationId,
      id,
      later,
    );
    expect([await problemOf(studio, id), await unmatched(later)]).toEqual([problem, 0]);
    expect(await failures(studio)).toHaveLength(1);
  });
});

it("a report that matches no e-mail is deleted after 30 days, or after an hour if there are several cells [V35]", async () => {
  const [recent, old] = [crypto.randomUUID(), crypto.randomUUID()];
  await consume(bounced(recent), bounced(old));
  const age = (messageId: string, by: string) =>
    sql(
      "UPDATE mail_events SET received_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?) WHERE message_id = ?",
      by,
      messageId,
    );
  const keptIn = async (cell: Parameters<typeof purgeMailCounts>[0]["cell"]) => {
    await purgeMailCounts({ db: env.DB, cell });
    return [await unmatched(recent), await unmatched(old)];
  };
  await age(recent, "-29 days");
  await age(old, "-31 days");
  expect(await keptIn(null)).toEqual([1, 0]);
  const { cell } = servicesOf({ ...env, CELL: "a", CELLS: "a,b", DIRECTORY: env.TEST_DIRECTORY });
  await consume(bounced(old));
  await age(recent, "-59 minutes");
  await age(old, "-61 minutes");
  expect(await keptIn(cell)).toEqual([1, 0]);
});

it("a report about a fenced workspace is kept until the fence is lifted [V35, X6]", async () => {
  const { studio, id, messageId } = await makeSent();
  await sql("INSERT INTO fences (id, hides) VALUES (?, 0)", studio.organizationId);
  expect(await consume(bounced(messageId))).toEqual([]);
  expect([await problemOf(studio, id), await unmatched(messageId)]).toEqual([null, 1]);
  await sql("DELETE FROM fences WHERE id = ?", studio.organizationId);
  expect([await problemOf(studio, id), await unmatched(messageId)]).toEqual([problem, 0]);
  expect(await failures(studio)).toHaveLength(1);
});

describe("the queue of e-mail events", () => {
  it("logs a malformed message without retrying it [V35]", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { studio, id, messageId } = await makeSent();
    const lines = logged();
    const made = [{ hello: "world" }, bounced(messageId)].map((body, index) => ({
      ...{ id: `${index}`, timestamp: new Date(), attempts: 1, body },
    }));
    const messages = createMessageBatch("email-events-production", made);
    const execution = createExecutionContext();
    await worker.queue(messages, env, execution);
    expect((await getQueueResult(messages, execution)).retryMessages).toEqual([]);
    expect(lines()).toMatchObject([{ unreadable_message: "0" }]);
    expect(await problemOf(studio, id)).toEqual(problem);
  });

  it("retries a message if the database fails [V35]", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { studio, id, messageId } = await makeSent();
    setTripOutcomes(() => "lost");
    expect(await consume(bounced(messageId), bounced("another"))).toEqual([5, 5]);
    restoreDatabase();
    expect(await consume(bounced(messageId))).toEqual([]);
    expect(await problemOf(studio, id)).toEqual(problem);
  });
});

describe("record-mail-event", () => {
  it("records a report from another e-mail service, and only for operators [V36]", async () => {
    const { studio, id, messageId } = await makeSent();
    const reported = {
      message_id: `<${messageId}>`,
      kind: "complained",
      reason: "spam, says nora@x.example",
    };
    expect(await admin(studio, "record-mail-event", reported)).toMatchObject({
      message_id: messageId,
      matched: true,
      deliverable_id: id,
    });
    expect(await problemOf(studio, id)).toMatchObject({ kind: "complained", reason: "spam, says [address]" });
    const { browser } = await ownerAtHome();
    expect((await browser.rpc("record_mail_event", reported)).status).toBe(403);
    expect(await refusal(studio, "record-mail-event", { message_id: "x", kind: "lost" })).toMatchObject({
      message: expect.stringContaining("kind"),
    });
    const unknown = await admin<MailEventRecord>(studio, "record-mail-event", {
      message_id: crypto.randomUUID(),
      kind: "bounced",
    });
    expect(unknown).toMatchObject({ matched: false, deliverable_id: null, reason: null });
  });
});

describe("a bounced invitation or notice", () => {
  const memberMailOf = async ({ organizationId }: { organizationId: string }, email: string) => {
    const [found] = await sql<{ message_id: string }>(
      "SELECT message_id FROM member_mails WHERE organization_id = ? AND email = ? ORDER BY sent_at DESC LIMIT 1",
      organizationId,
      email,
    );
    return String(found?.message_id);
  };

  it("is shown beside the member until they are invited again [V34]", async () => {
    const { here, browser, base } = await ownerAtHome();
    const email = `kim-${crypto.randomUUID()}@example.com`;
    await browser.rpc("set_member", { email, role: "admin" });
    await consume(bounced(await memberMailOf(here, email)));
    const shown = async () =>
      (await admin<{ email: string }[]>(here, "list-members")).find((one) => one.email === email);
    expect(await shown()).toMatchObject({ status: "invited", delivery_problem: problem });
    expect(await browser.read(`${base}/members`)).toContain("The e-mail bounced: 550 5.1.1");
    await browser.rpc("set_member", { email, role: "admin" });
    expect(await shown()).toMatchObject({ delivery_problem: null });
  });

  it("is shown beside the owner, whatever the notice is about [V34]", async () => {
    const { studio, id } = await makeReview();
    await send(studio, id);
    await consume(bounced(await messageIdOf(id)));
    await consume(bounced(await memberMailOf(studio, studio.ownerEmail)));
    expect(await admin(studio, "list-members")).toMatchObject([{ role: "owner", delivery_problem: problem }]);
  });
});

describe("the overview and the agency view", () => {
  it("link to the form that changes the client's address [V33]", async () => {
    const { studio, id, messageId } = await makeSent();
    await consume(bounced(messageId));
    const [{ slug } = { slug: "" }] = await sql<{ slug: string }>(
      "SELECT slug FROM organizations WHERE id = ?",
      studio.organizationId,
    );
    const browser = await signedIn(studio.ownerEmail);
    const client = `/settings/${slug}/clients/${(await readDeliverable(studio, id)).client_id}`;
    const overview = await browser.read(`/settings/${slug}`);
    expect(overview).toContain("One review e-mail failed");
    expect(overview).toContain(`href="${client}"`);
    const { pathname } = new URL((await readDeliverable(studio, id)).share_url);
    expect(await browser.read(pathname)).toContain(`href="${client}"`);
    expect(await new SettingsBrowser().read(pathname)).not.toContain(client);
    await browser.post(client, { email: "nora.lind@northwind.example" });
    expect(await browser.read(client)).toContain('value="nora.lind@northwind.example"');
  });
});
