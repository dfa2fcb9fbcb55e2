import { createMessageBatch, evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { SendRecord } from "../../src/contract/messages.ts";
import { consumeSendRecords } from "../../src/queues/send-records.ts";
import { sendReminders } from "../../src/review/reminders/send-reminders.ts";
import type { Send } from "../../src/review/sends/record.ts";
import { servicesOf } from "../../src/services.ts";
import { admin } from "../support/admin.ts";
import { coordinatorStub } from "../support/coordinator.ts";
import { logged } from "../support/logged.ts";
import { type SentMail, watchMails } from "../support/mails.ts";
import { neverResolves, restoreDatabase, setTripOutcomes } from "../support/outages.ts";
import { post } from "../support/partner.ts";
import {
  countRows,
  makeDeliverable,
  makeStudio,
  readDeliverable,
  type Studio,
  signOff,
} from "../support/review.ts";
import { arrived, register } from "../support/webhooks.ts";

let mails: SentMail[];
beforeEach(() => {
  mails = watchMails();
  vi.spyOn(console, "error").mockImplementation(() => {});
});

async function prepare() {
  const studio = await makeStudio();
  const id = await makeDeliverable(studio);
  const send = () => post(studio, `/api-v1/deliverables/${id}/send`, { message: "Hello" }, "key");
  return { studio, id, send };
}

const recorded = async (studio: Studio) => [
  await countRows("deliverable_sends", studio),
  await countRows("events", studio),
];

/** Waits for the queue to record the send. It retries after 5 s and then after 10 s. */
const recordFollows = (studio: Studio) =>
  vi.waitFor(async () => expect(await recorded(studio)).toEqual([1, 1]), { timeout: 25_000, interval: 250 });

/**
 * A send makes three round trips: it loads its records, stores its link's key and, after the e-mail, records the send.
 */
const recordTrip = 3;

const failed = { error: "The review e-mail could not be sent", code: "email_send_failed" };

describe("a send", () => {
  it("returns 502 email_send_failed when the e-mail is rejected, and the same key sends it later [V19]", async () => {
    const { studio, id, send } = await prepare();
    const lines = logged();
    vi.mocked(env.EMAIL.send).mockRejectedValueOnce(
      new Error("550 mailbox unavailable: nora@northwind.example"),
    );
    const answer = await send();
    expect([answer.status, await answer.json()]).toEqual([502, failed]);
    expect(lines()).toMatchObject([
      { mailing: id, error: expect.stringContaining("550 mailbox unavailable") },
    ]);
    expect(await recorded(studio)).toEqual([0, 0]);
    expect((await send()).status).toBe(200);
    expect(mails).toHaveLength(1);
    expect(await recorded(studio)).toEqual([1, 1]);
  });

  it("returns 502 even if the database cannot undo the count", async () => {
    const { id, send } = await prepare();
    const lines = logged();
    vi.mocked(env.EMAIL.send).mockRejectedValueOnce(new Error("550 mailbox unavailable"));
    setTripOutcomes((trip) => (trip === recordTrip ? "lost" : "through"));
    const answer = await send();
    expect([answer.status, await answer.json()]).toEqual([502, failed]);
    expect(lines()).toContainEqual(expect.objectContaining({ counting: id }));
    restoreDatabase();
  });

  it("returns 502 only after the count is undone, so that a retry is not rejected", async () => {
    const { send } = await prepare();
    vi.mocked(env.EMAIL.send).mockRejectedValueOnce(new Error("550 mailbox unavailable"));
    const batch = env.DB.batch.bind(env.DB);
    const counted = vi.fn();
    let trips = 0;
    vi.spyOn(env.DB, "batch").mockImplementation(async (statements: D1PreparedStatement[]) => {
      trips += 1;
      if (trips !== recordTrip) return batch(statements) as never;
      await scheduler.wait(50);
      const answers = await batch(statements);
      counted();
      return answers as never;
    });
    expect((await send()).status).toBe(502);
    expect(counted).toHaveBeenCalledOnce();
  });

  async function refusedMail(release: (claim: { key: string }) => Promise<void>): Promise<Response> {
    const { send } = await prepare();
    vi.mocked(env.EMAIL.send).mockRejectedValueOnce(new Error("550 mailbox unavailable"));
    const getByName = env.ORGANIZATION_COORDINATOR.getByName.bind(env.ORGANIZATION_COORDINATOR);
    vi.spyOn(env.ORGANIZATION_COORDINATOR, "getByName").mockImplementation((name) => {
      const coordinator = getByName(name);
      const acquire: typeof coordinator.acquire = (...asked) => coordinator.acquire(...asked);
      return { acquire, release } as never;
    });
    return send();
  }

  it("returns 502 even if the key cannot be released at once", async () => {
    const answer = await refusedMail(() => Promise.reject(new Error("Network connection lost.")));
    expect([answer.status, await answer.json()]).toEqual([502, failed]);
  });

  it("returns 502 only after the key is released", async () => {
    const given: string[] = [];
    const release = async ({ key }: { key: string }) => {
      await scheduler.wait(50);
      given.push(key);
    };
    expect((await refusedMail(release)).status).toBe(502);
    expect(given).toContain("key:key");
  });

  it("returns 502 within the deadline when the e-mail service hangs", async () => {
    const { studio, send } = await prepare();
    vi.mocked(env.EMAIL.send).mockImplementationOnce(neverResolves);
    const started = Date.now();
    const answer = await send();
    expect([answer.status, await answer.json()]).toEqual([502, failed]);
    expect(Date.now() - started).toBeLessThan(15_000);
    expect((await send()).status).toBe(200);
    expect(mails).toHaveLength(1);
    expect(await recorded(studio)).toEqual([1, 1]);
  });

  it.each([
    { lost: "the read", trip: 1 },
    { lost: "the link's key", trip: 2 },
  ])("returns 503 and sends nothing if $lost is lost before the e-mail", async ({ trip }) => {
    const { send } = await prepare();
    setTripOutcomes((made) => (made === trip ? "lost" : "through"));
    expect((await send()).status).toBe(503);
    expect(mails).toEqual([]);
    restoreDatabase();
    expect((await send()).status).toBe(200);
    expect(mails).toHaveLength(1);
  });

  it.each(["lost", "answer lost"] as const)(
    "is recorded once if a round trip after the e-mail is %s",
    async (fate) => {
      const { studio, send } = await prepare();
      setTripOutcomes((trip) => (trip === recordTrip ? fate : "through"));
      const sent = await send();
      expect(sent.status).toBe(200);
      expect(await sent.json()).toMatchObject({
        ok: true,
        status_warning: expect.stringContaining("flagged"),
      });
      expect(mails).toHaveLength(1);
      expect(await recorded(studio)).toEqual([1, 1]);
    },
  );

  it("succeeds with a warning if the database is unavailable after the e-mail [I9]", async () => {
    const { studio, id, send } = await prepare();
    const lines = logged();
    setTripOutcomes((trip) => (trip < recordTrip ? "through" : "lost"));
    const sent = await send();
    expect(sent.status).toBe(200);
    expect(lines()).toContainEqual(expect.objectContaining({ recording: id }));
    const answer = await sent.json<Send>();
    expect(answer).toMatchObject({ ok: true, status_warning: expect.stringContaining("record is delayed") });
    restoreDatabase();
    const again = await send();
    expect([again.status, await again.json()]).toEqual([200, { ...answer, idempotent_replay: true }]);
    await recordFollows(studio);
    expect(await readDeliverable(studio, id)).toMatchObject({
      review_state: "in_review",
      sent_at: answer.sent_at,
    });
    const trips = setTripOutcomes(() => "through");
    expect((await send()).status).toBe(200);
    expect(trips()).toBe(1);
    expect(mails).toHaveLength(1);
  });

  it("is replayed even while the database cannot record it", async () => {
    const { studio, send } = await prepare();
    setTripOutcomes((trip) => (trip < recordTrip ? "through" : "lost"));
    const answer = await (await send()).json<Send>();
    restoreDatabase();
    setTripOutcomes((trip) => (trip < recordTrip ? "through" : "lost"));
    const again = await send();
    expect([again.status, await again.json()]).toEqual([200, { ...answer, idempotent_replay: true }]);
    restoreDatabase();
    expect((await send()).status).toBe(200);
    await recordFollows(studio);
    expect(mails).toHaveLength(1);
  });

  it("is recorded through the queue once the database is available again", async () => {
    const { studio, send } = await prepare();
    const endpoint = await register(studio);
    setTripOutcomes((trip) => (trip < recordTrip ? "through" : "lost"));
    await send();
    await scheduler.wait(1000);
    restoreDatabase();
    await recordFollows(studio);
    expect(mails).toHaveLength(1);
    expect(await arrived(endpoint)).toMatchObject([{ headers: { "x-svc-event": "deliverable.sent" } }]);
  });

  it("is recorded by the request's third attempt", async () => {
    const { studio, send } = await prepare();
    setTripOutcomes((trip) => (trip === recordTrip || trip === recordTrip + 1 ? "lost" : "through"));
    const sent = await (await send()).json<Send>();
    expect(sent.status_warning).toContain("flagged");
    expect(await recorded(studio)).toEqual([1, 1]);
  });

  it("succeeds even if neither the database nor the queue can record it", async () => {
    const { studio, id, send } = await prepare();
    const lines = logged();
    setTripOutcomes((trip) => (trip < recordTrip ? "through" : "lost"));
    vi.spyOn(env.SEND_RECORDS, "send").mockRejectedValue(new Error("Queue send failed"));
    const answer = await (await send()).json<Send>();
    restoreDatabase();
    expect(lines()).toContainEqual(expect.objectContaining({ unrecorded: id }));
    expect(answer).toMatchObject({ ok: true, status_warning: expect.stringContaining("record is delayed") });
    await evictDurableObject(coordinatorStub(studio));
    expect(await (await send()).json()).toEqual({ ...answer, idempotent_replay: true });
    expect(mails).toHaveLength(1);
    expect(await recorded(studio)).toEqual([0, 0]);
  });

  it("responds only after the queue has accepted its record", async () => {
    const { send } = await prepare();
    setTripOutcomes((trip) => (trip < recordTrip ? "through" : "lost"));
    let isTaken = false;
    vi.spyOn(env.SEND_RECORDS, "send").mockImplementation(async () => {
      await scheduler.wait(200);
      isTaken = true;
      return undefined as never;
    });
    expect((await send()).status).toBe(200);
    expect(isTaken).toBe(true);
  });

  it("does not send a second e-mail if the coordinator records the first one only on a retry", async () => {
    const { studio, send } = await prepare();
    setTripOutcomes((trip) => (trip < recordTrip ? "through" : "lost"));
    const getByName = env.ORGANIZATION_COORDINATOR.getByName.bind(env.ORGANIZATION_COORDINATOR);
    let told = 0;
    vi.spyOn(env.ORGANIZATION_COORDINATOR, "getByName").mockImplementation((name) => {
      const coordinator = getByName(name);
      const rememberSent: typeof coordinator.rememberSent = async (mail) => {
        told += 1;
        if (told === 1) throw new Error("Network connection lost.");
        return coordinator.rememberSent(mail);
      };
      const acquire: typeof coordinator.acquire = (...asked) => coordinator.acquire(...asked);
      return { acquire, rememberSent, release: async () => {} } as never;
    });
    vi.spyOn(env.SEND_RECORDS, "send").mockResolvedValue(undefined as never);
    const answer = await (await send()).json<Send>();
    vi.mocked(env.ORGANIZATION_COORDINATOR.getByName).mockRestore();
    expect(told).toBe(2);
    restoreDatabase();
    await endLease(studio);
    await evictDurableObject(coordinatorStub(studio));
    const again = await send();
    expect([again.status, await again.json()]).toEqual([200, { ...answer, idempotent_replay: true }]);
    expect(mails).toHaveLength(1);
  });

  /** Simulates a Worker that crashed thirty seconds ago, before recording its e-mail. */
  const endLease = ({ organizationId }: Studio) =>
    env.DB.prepare(
      `UPDATE requests SET lease_ends_at = '2026-01-01T00:00:00.000Z'
       WHERE organization_id = ? AND lease_ends_at IS NOT NULL`,
    )
      .bind(organizationId)
      .run();

  const isUnderWay = ({ organizationId }: Studio) =>
    vi.waitFor(async () => {
      const own =
        "SELECT lease_ends_at FROM requests WHERE organization_id = ? AND lease_ends_at IS NOT NULL";
      expect(await env.DB.prepare(own).bind(organizationId).first()).not.toBeNull();
    }, 10_000);

  /** Simulates a Worker that crashes while sending its e-mail. */
  async function diesWhileMailing({ studio, send }: Awaited<ReturnType<typeof prepare>>) {
    vi.mocked(env.EMAIL.send).mockImplementationOnce(neverResolves);
    const dying = send();
    await isUnderWay(studio);
    await evictDurableObject(coordinatorStub(studio));
    return dying;
  }

  it("is sent again after the lease of a crashed Worker ends", async () => {
    const prepared = await prepare();
    const { studio, send } = prepared;
    const dying = diesWhileMailing(prepared);
    await isUnderWay(studio);
    const early = send();
    const first = await Promise.race([early, scheduler.wait(1_000).then(() => "waits")]);
    expect(first).toBe("waits");
    expect(mails).toEqual([]);
    await endLease(studio);
    expect((await early).status).toBe(200);
    expect(mails).toHaveLength(1);
    expect(await recorded(studio)).toEqual([1, 1]);
    // The request that was presumed dead finally reports that its e-mail could not be sent.
    expect((await dying).status).toBe(502);
    expect(await (await send()).json()).toMatchObject({ idempotent_replay: true });
  });

  it("returns 409 with Retry-After: 1 while the same send is still in progress", async () => {
    const { studio, send } = await prepare();
    await send();
    await env.DB.prepare(
      "UPDATE requests SET answer = NULL, lease_ends_at = '2096-01-01T00:00:00.000Z' WHERE organization_id = ?",
    )
      .bind(studio.organizationId)
      .run();
    const answer = await send();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([409, "1"]);
    expect(mails).toHaveLength(1);
  });

  it("does not send a second e-mail if the coordinator is evicted afterwards", async () => {
    const { studio, send } = await prepare();
    const answer = await (await send()).json<Send>();
    await evictDurableObject(coordinatorStub(studio));
    const again = await send();
    expect([again.status, await again.json()]).toEqual([200, { ...answer, idempotent_replay: true }]);
    await env.DB.prepare("UPDATE clients SET email = NULL WHERE organization_id = ?")
      .bind(studio.organizationId)
      .run();
    expect((await send()).status).toBe(200);
    expect(mails).toHaveLength(1);
    expect(await recorded(studio)).toEqual([1, 1]);
  });

  /** Runs `happens` after a send has read its records but before it stores its link's key. */
  function beforeTheKey(happens: () => Promise<unknown>) {
    const batch = env.DB.batch.bind(env.DB);
    let trips = 0;
    vi.spyOn(env.DB, "batch").mockImplementation(async (statements: D1PreparedStatement[]) => {
      trips += 1;
      if (trips === 2) await happens();
      return batch(statements) as never;
    });
  }

  it("goes only to the client's address at the time of sending", async () => {
    const { studio, send } = await prepare();
    beforeTheKey(() =>
      env.DB.prepare("UPDATE clients SET email = 'new@northwind.example' WHERE id = ?")
        .bind(studio.clientId)
        .run(),
    );
    const answer = await send();
    expect([answer.status, await answer.json()]).toEqual([502, failed]);
    expect([mails, await countRows("mail_counts", studio)]).toEqual([[], 0]);
    restoreDatabase();
    expect((await send()).status).toBe(200);
    expect(mails.map(({ to }) => to)).toEqual(["new@northwind.example"]);
  });

  it.each([
    ["signed off", 409, (studio: Studio, id: string) => signOff(studio, id)],
    [
      "made a sample",
      422,
      ({ clientId }: Studio) =>
        env.DB.prepare("UPDATE clients SET is_sample = 1 WHERE id = ?").bind(clientId).run(),
    ],
  ])(
    "returns 502 without an e-mail if the deliverable was %s after it was loaded, and %i on a retry",
    async (_, status, happens) => {
      const { studio, id, send } = await prepare();
      beforeTheKey(() => happens(studio, id) as Promise<unknown>);
      expect((await send()).status).toBe(502);
      restoreDatabase();
      expect((await send()).status).toBe(status);
      expect(mails).toEqual([]);
    },
  );

  it("stores nothing about a client who is erased during the send", async () => {
    const { studio, id, send } = await prepare();
    vi.mocked(env.EMAIL.send).mockImplementationOnce(async () => {
      await admin(studio, "erase-client", { id: studio.clientId });
      return { messageId: "1" };
    });
    expect((await send()).status).toBe(200);
    const sends = await env.DB.prepare("SELECT message FROM deliverable_sends WHERE deliverable_id = ?")
      .bind(id)
      .all();
    expect(sends.results).toEqual([{ message: null }]);
    expect(await countRows("review_keys", studio)).toBe(0);
  });

  it("is recorded with a warning if the deliverable is signed off during the send", async () => {
    const { studio, id, send } = await prepare();
    vi.mocked(env.EMAIL.send).mockImplementationOnce(async () => {
      await signOff(studio, id);
      return { messageId: "1" };
    });
    const sent = await send();
    expect([sent.status, await sent.json()]).toEqual([
      200,
      expect.objectContaining({ ok: true, status_warning: expect.stringContaining("signed off meanwhile") }),
    ]);
    expect(await countRows("deliverable_sends", studio)).toBe(1);
    expect(await readDeliverable(studio, id)).toMatchObject({ review_state: "approved", sent_at: null });
  });

  it("succeeds without a record if the workspace is erased during the send", async () => {
    const { studio, id, send } = await prepare();
    vi.mocked(env.EMAIL.send).mockImplementationOnce(async () => {
      const { organizationId } = studio;
      const ofDeliverable = ["review_keys", "deliverable_versions"].map((table) =>
        env.DB.prepare(`DELETE FROM ${table} WHERE deliverable_id = ?`).bind(id),
      );
      await env.DB.batch([
        env.DB.prepare("INSERT INTO erasures (id) VALUES (?)").bind(organizationId),
        ...ofDeliverable,
        env.DB.prepare("DELETE FROM deliverables WHERE id = ?").bind(id),
        env.DB.prepare("DELETE FROM erasures"),
      ]);
      return { messageId: "1" };
    });
    const queued = vi.spyOn(env.SEND_RECORDS, "send");
    expect((await send()).status).toBe(200);
    expect(queued).not.toHaveBeenCalled();
    expect(await countRows("deliverable_sends", studio)).toBe(0);
  });

  it("is recorded for the sent version if a newer version is added during the send", async () => {
    const { studio, id, send } = await prepare();
    vi.mocked(env.EMAIL.send).mockImplementationOnce(async () => {
      await post(studio, `/api-v1/deliverables/${id}/versions`, {});
      return { messageId: "1" };
    });
    const sent = await (await send()).json<Send>();
    expect(sent).toMatchObject({
      version_number: 1,
      status_warning: expect.stringContaining("newer version"),
    });
    expect(await readDeliverable(studio, id)).toMatchObject({ version_number: 2, review_state: "draft" });
  });
});

describe("a reminder", () => {
  /** A reminder is found, read, given its link's key, and e-mailed. The fourth round trip records or undoes it. */
  const afterMailTrip = 4;

  async function prepareDue() {
    const { studio, id } = await prepare();
    await post(studio, `/api-v1/deliverables/${id}/send`, { remind_after_days: 7 });
    const sql = (text: string) => env.DB.prepare(text).bind(id).run();
    const makeDue = () =>
      sql("UPDATE deliverables SET reminder_due_at = '2026-01-01T00:00:00.000Z' WHERE id = ?");
    await makeDue();
    const due = async () => (await readDeliverable(studio, id)).reminder_due_at ?? "";
    const endLease = () =>
      sql(
        "UPDATE requests SET lease_ends_at = '2026-01-01T00:00:00.000Z' WHERE subject_id = ? AND answer IS NULL",
      );
    mails.length = 0;
    return { studio, makeDue, due, endLease };
  }

  const remind = () => sendReminders(servicesOf(env));

  it("is e-mailed only once by two concurrent runs [V30]", async () => {
    const { studio } = await prepareDue();
    await Promise.all([remind(), remind()]);
    expect([mails.length, await recorded(studio)]).toEqual([1, [2, 2]]);
  });

  it("is not e-mailed again, even if the queue delivers its record late [V30]", async () => {
    const { studio, due, endLease } = await prepareDue();
    const records: SendRecord[] = [];
    vi.spyOn(env.SEND_RECORDS, "send").mockImplementation(async (record) => {
      records.push(record as SendRecord);
      return undefined as never;
    });
    setTripOutcomes((trip) => (trip < afterMailTrip ? "through" : "lost"));
    await remind();
    restoreDatabase();
    await endLease();
    await remind();
    expect([mails.length, await recorded(studio)]).toEqual([1, [1, 1]]);
    const messages = createMessageBatch(
      "send-records",
      records.map((body, index) => ({ id: `${index}`, timestamp: new Date(), attempts: 1, body })),
    );
    await consumeSendRecords(messages, servicesOf(env));
    expect(await recorded(studio)).toEqual([2, 2]);
    expect(await due()).toBe(new Date(Date.parse(records[0]?.sentAt ?? "") + 7 * 86_400_000).toISOString());
    await remind();
    expect(mails).toHaveLength(1);
  });

  it("is sent again after the lease of a crashed run ends [V30]", async () => {
    const { studio, endLease } = await prepareDue();
    vi.mocked(env.EMAIL.send).mockRejectedValueOnce(new Error("the Worker died"));
    setTripOutcomes((trip) => (trip < afterMailTrip ? "through" : "lost"));
    await remind().catch(() => {});
    restoreDatabase();
    await remind();
    expect(mails).toEqual([]);
    await endLease();
    await remind();
    expect([mails.length, await recorded(studio)]).toEqual([1, [2, 2]]);
  });

  it("is retried with backoff if its e-mail is rejected, and is not counted [V30]", async () => {
    const { studio, makeDue, due } = await prepareDue();
    const counts = () =>
      env.DB.prepare("SELECT mails FROM mail_counts WHERE organization_id = ? AND address = ''")
        .bind(studio.organizationId)
        .first("mails");
    for (const minutes of [1, 2]) {
      vi.mocked(env.EMAIL.send).mockRejectedValueOnce(new Error("550 mailbox unavailable"));
      await makeDue();
      await expect(remind()).rejects.toThrow("1 reminders were not sent");
      const waits = (Date.parse(await due()) - Date.now()) / 60_000;
      expect([Math.ceil(waits), await counts()]).toEqual([minutes, 1]);
    }
    await makeDue();
    await remind();
    expect([mails.length, await counts()]).toEqual([1, 2]);
  });
});

describe("the queue of send records", () => {
  async function makeRecord(): Promise<{ studio: Studio; record: SendRecord }> {
    const { studio, id } = await prepare();
    const { organizationId, ownerId } = studio;
    const by = { organizationId, key: "key:none", actorId: ownerId };
    const said = { deliverableId: id, versionNumber: 1, message: null, answeredWarning: null };
    const unreminded = { remindAfterDays: null, reminder: null, messageId: null };
    return {
      studio,
      record: { id: crypto.randomUUID(), ...by, ...said, ...unreminded, sentAt: new Date().toISOString() },
    };
  }

  async function consume(bodies: unknown[], attempts = 1, { enqueueDueDeliveries } = servicesOf(env)) {
    const made = bodies.map((body, index) => ({ id: `${index}`, timestamp: new Date(), attempts, body }));
    const messages = createMessageBatch("send-records", made);
    const delays: unknown[] = [];
    for (const message of messages.messages) message.retry = (options) => delays.push(options?.delaySeconds);
    await consumeSendRecords(messages, { db: env.DB, enqueueDueDeliveries });
    return delays;
  }

  it("retries with a backoff of 5 seconds to 3 hours if the database fails", async () => {
    const { record } = await makeRecord();
    const lines = logged();
    setTripOutcomes(() => "lost");
    const delays = await Promise.all([1, 2, 3, 12, 13, 100].map((attempts) => consume([record], attempts)));
    expect(delays.flat()).toEqual([5, 10, 20, 10_240, 10_800, 10_800]);
    const ours = lines().filter(({ send_id }) => send_id === record.id);
    expect(ours).toMatchObject(Array(6).fill({ failed: "record" }));
  });

  it("keeps a deliverable's latest sent_at, in whatever order the records arrive", async () => {
    const { studio, record } = await makeRecord();
    const earlier = { ...record, id: crypto.randomUUID(), sentAt: "2026-01-31T09:30:00.000Z" };
    expect([await consume([record]), await consume([earlier])]).toEqual([[], []]);
    expect(await countRows("deliverable_sends", studio)).toBe(2);
    const sent = await readDeliverable(studio, record.deliverableId);
    expect(sent.sent_at).toBe(record.sentAt);
  });

  it("drops the records of an erased workspace", async () => {
    const { record } = await makeRecord();
    const lines = logged();
    expect(await consume([{ ...record, deliverableId: crypto.randomUUID() }])).toEqual([]);
    expect(lines()).toEqual([
      { failed: "record", send_id: record.id, deliverable_id: expect.any(String), error: expect.any(String) },
    ]);
  });

  it("skips an invalid record and deliveries that cannot be enqueued", async () => {
    const { studio, record } = await makeRecord();
    const down = { sendBatch: () => Promise.reject(new Error("E_DOWN")) };
    const failing = servicesOf({ ...env, WEBHOOK_DELIVERIES: down } as never);
    await register(studio, "status/200");
    const lines = logged();
    expect(await consume([{ id: 5 }, record], 1, failing)).toEqual([]);
    expect(await recorded(studio)).toEqual([1, 1]);
    expect(lines()).toMatchObject([{ unreadable_message: "0" }, { failed: "enqueue", send_id: record.id }]);
  });
});
