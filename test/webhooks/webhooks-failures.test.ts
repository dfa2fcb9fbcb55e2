import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, onTestFinished } from "vitest";
import type { LeasedId } from "../../src/contract/messages.ts";
import type { Services } from "../../src/core/services.ts";
import { scheduled } from "../../src/cron/scheduled.ts";
import { batch, run } from "../../src/db/query.ts";
import { consumeWebhookDeliveries } from "../../src/queues/webhook-deliveries.ts";
import { servicesOf } from "../../src/services.ts";
import type { DeliveryAttempt } from "../../src/webhooks/sending/attempt-delivery.ts";
import { enqueue, isHanging, rememberHanging } from "../../src/webhooks/sending/delivery-queues.ts";
import { enqueueDue, findDue, leaseByIds, leaseDue } from "../../src/webhooks/sending/enqueue-due.ts";
import { loadLeased } from "../../src/webhooks/sending/load-leased.ts";
import { recordAttempts } from "../../src/webhooks/sending/record-attempts.ts";
import { advanceClock, startClock, stopClock } from "../support/clock.ts";
import { logged } from "../support/logged.ts";
import { received } from "../support/received.ts";
import { deliveriesOf, recordEvents, register, settled, type TestEndpoint } from "../support/webhooks.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

const down = () => Promise.reject(new Error("down"));

const { queues: allQueues } = servicesOf(env);
const failingIsDown = { ...allQueues, failing: { ...allQueues.failing, sendBatch: down } };

/** A database whose nth batch fails, counted from 1. */
const failingAt = (nth: number) => failing((trip) => trip === nth);

function failing(isDown: (trip: number) => boolean): D1Database {
  let trips = 0;
  return new Proxy(env.DB, {
    get(target, name) {
      if (name !== "batch") return Reflect.get(target, name).bind(target);
      return (statements: D1PreparedStatement[]) => {
        trips += 1;
        return isDown(trips) ? down() : target.batch(statements);
      };
    },
  });
}

/** Leases the workspace's due deliveries and passes them to the consumer. Returns the messages to redeliver. */
async function consume(workspace: Workspace, services: Partial<Services> = {}, queue?: string) {
  const { organizationId } = workspace;
  return consumeLeased(await run(env.DB, leaseDue({ organizationId, limit: 100 })), services, queue);
}

async function consumeLeased(
  leased: readonly LeasedId[],
  services: Partial<Services>,
  queue = "webhook-deliveries",
) {
  const messages = createMessageBatch(
    queue,
    leased.map((body, index) => ({ id: String(index), timestamp: new Date(), attempts: 1, body })),
  );
  const retried: string[] = [];
  for (const message of messages.messages) {
    message.retry = (options) => {
      expect(options).toEqual({ delaySeconds: 5 });
      retried.push((message.body as LeasedId).id);
    };
  }
  const execution = createExecutionContext();
  await consumeWebhookDeliveries(messages, { ...servicesOf(env), ...services }, execution);
  return { leased, retried, finishing: () => waitOnExecutionContext(execution) };
}

function notingQueues() {
  const moved: string[] = [];
  const queue = (name: string) => ({
    sendBatch: async (messages: Iterable<{ body: LeasedId }>) =>
      void moved.push(...[...messages].map(({ body }) => `${name} ${body.id}`)),
  });
  return { moved, queues: { fast: queue("fast"), slow: queue("slow"), failing: queue("failing") } as never };
}

async function endpointWithEvents(behavior: string, count: number) {
  const workspace = await makeWorkspace();
  const endpoint = await register(workspace, behavior);
  await recordEvents(workspace, count);
  return { workspace, endpoint };
}

const attemptsOf = async ({ organizationId }: Workspace) =>
  (
    await env.DB.prepare(
      "SELECT error_class, response_status FROM webhook_attempts WHERE organization_id = ?",
    )
      .bind(organizationId)
      .all()
  ).results;

describe("the queue consumer", () => {
  it("retries messages when the database fails before the batch is sent", async () => {
    const { workspace, endpoint } = await endpointWithEvents("status/200", 3);
    const { leased, retried } = await consume(workspace, { db: failingAt(1) });
    expect(retried.sort()).toEqual(leased.map(({ id }) => id).sort());
    expect(await received(endpoint.path)).toHaveLength(0);
    const again = await consumeLeased(leased, {});
    expect(again.retried).toEqual([]);
    expect(await settled(endpoint)).toMatchObject(Array(3).fill({ status: "delivered", attempts: 1 }));
  });

  it("retries messages under the same ids when the database fails after the batch is sent", async () => {
    const { workspace, endpoint } = await endpointWithEvents("status/200", 3);
    const { leased, retried } = await consume(workspace, { db: failingAt(2) });
    expect(retried).toHaveLength(3);
    await consumeLeased(leased, {});
    expect(await settled(endpoint)).toMatchObject(Array(3).fill({ status: "delivered", attempts: 1 }));
    const ids = (await received(endpoint.path)).map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(6);
    expect(new Set(ids)).toEqual(new Set(leased.map(({ id }) => id)));
  });

  it("does not count an attempt when the secret cannot be decrypted", async () => {
    const { workspace, endpoint } = await endpointWithEvents("status/200", 1);
    await env.DB.prepare("UPDATE webhook_endpoints SET secret_encrypted = 'v1.AAAA' WHERE id = ?")
      .bind(endpoint.id)
      .run();
    const { retried } = await consume(workspace);
    expect(retried).toHaveLength(1);
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: "pending", attempts: 0 }]);
  });

  it("does not retry messages for a receiver that returns an error, resets or redirects", async () => {
    for (const behavior of ["status/500", "status/404", "reset", "redirect/302"]) {
      const { workspace, endpoint } = await endpointWithEvents(behavior, 1);
      expect((await consume(workspace)).retried).toEqual([]);
      expect(await deliveriesOf(endpoint)).toMatchObject([{ attempts: 1 }]);
    }
  });

  it("counts Retry-After from the time of the response", async () => {
    const { workspace } = await endpointWithEvents("status/200", 1);
    const answerLate = async () => {
      await scheduler.wait(50);
      return new Response("later", { status: 503, headers: { "Retry-After": "3600" } });
    };
    await consume(workspace, { fetch: answerLate });
    const waitMs = env.DB.prepare(
      `SELECT latency_ms, round((julianday(next_attempt_at) - julianday(attempted_at)) * 86400000) AS wait_ms
        FROM webhook_attempts WHERE organization_id = ?`,
    );
    const attempt = await waitMs.bind(workspace.organizationId).first<Record<string, number>>();
    expect(attempt?.latency_ms).toBeGreaterThan(40);
    expect(attempt?.wait_ms).toBeGreaterThanOrEqual(3_600_000 + Number(attempt?.latency_ms));
  });

  it("retries messages that cannot move to another queue", async () => {
    const { workspace, endpoint } = await endpointWithEvents("status/200", 2);
    await env.DB.prepare("UPDATE webhook_endpoints SET consecutive_failures = 3 WHERE id = ?")
      .bind(endpoint.id)
      .run();
    const { retried } = await consume(workspace, { queues: failingIsDown });
    expect(retried).toHaveLength(2);
    expect(await received(endpoint.path)).toHaveLength(0);
  });

  it("retries messages that it could not start if no queue accepts them", async () => {
    const { workspace } = await endpointWithEvents("slow/60000", 8);
    const { leased, retried } = await consume(workspace, {
      queues: { fast: { sendBatch: down }, failing: { sendBatch: down } } as never,
      fetch: () => new Promise(() => {}),
    });
    expect(leased).toHaveLength(8);
    // There are six connections, so two deliveries were not started.
    expect(retried).toHaveLength(2);
  });
});

async function recordWithout(others: readonly TestEndpoint[], workspace: Workspace, count: number) {
  const ids = JSON.stringify(others.map(({ id }) => id));
  const ofOthers = (sql: string) =>
    env.DB.prepare(`${sql} IN (SELECT value FROM json_each(?))`).bind(ids).run();
  await ofOthers("UPDATE webhook_endpoints SET enabled = 0 WHERE id");
  await recordEvents(workspace, count);
  await ofOthers("DELETE FROM webhook_deliveries WHERE endpoint_id");
  await ofOthers("UPDATE webhook_endpoints SET enabled = 1 WHERE id");
}

describe("the delivery queues", () => {
  it("get messages in batches of at most 100", async () => {
    const taken: number[] = [];
    const fast = { sendBatch: async (messages: Iterable<unknown>) => void taken.push([...messages].length) };
    const leased = Array.from({ length: 250 }, (_, index) => ({
      id: String(index),
      lease: "",
      organization_id: "",
      url: "https://example.com/",
    }));
    await enqueue({ fast } as never, "fast", leased);
    expect(taken).toEqual([100, 100, 50]);
  });

  it("get up to 20 deliveries per endpoint on the fast queue and the rest on the slow one", async () => {
    const workspace = await makeWorkspace();
    const [endpoint, few] = [await register(workspace), await register(workspace)];
    // More deliveries than one lease takes.
    await recordWithout([few], workspace, 490);
    await recordEvents(workspace, 20);
    const { moved, queues } = notingQueues();
    expect(await enqueueDue({ db: env.DB, queues }, workspace.organizationId)).toBe(530);
    const on = async (queue: string, of: TestEndpoint) =>
      (await deliveriesOf(of)).filter(({ id }) => moved.includes(`${queue} ${id}`)).length;
    expect([await on("fast", few), await on("slow", few)]).toEqual([20, 0]);
    expect([await on("fast", endpoint), await on("slow", endpoint)]).toEqual([20, 490]);
    expect(moved).toHaveLength(530);
  });

  it("get up to 100 deliveries per workspace on the fast queue", async () => {
    const workspace = await makeWorkspace();
    const endpoints = [];
    for (let index = 0; index < 6; index += 1) endpoints.push(await register(workspace));
    await recordWithout(endpoints.slice(1), workspace, 10);
    await recordWithout(endpoints.slice(5), workspace, 18);
    await recordEvents(workspace, 12);
    const { moved, queues } = notingQueues();
    // 40 for the first endpoint, 30 for each of the next four, and 12 for the last one.
    expect(await enqueueDue({ db: env.DB, queues }, workspace.organizationId)).toBe(172);
    expect([moved.filter((each) => each.startsWith("fast ")).length, moved.length]).toEqual([100, 172]);
  });

  it("get only the deliveries of the changed workspace", async () => {
    const { endpoint: another } = await endpointWithEvents("status/200", 1);
    const { workspace, endpoint } = await endpointWithEvents("status/200", 1);
    const { organizationId } = workspace;
    const [ours, others] = [await deliveriesOf(endpoint), await deliveriesOf(another)];
    const leased = await run(env.DB, leaseDue({ organizationId, limit: 100 }));
    expect(leased.map(({ id }) => id)).toEqual(ours.map(({ id }) => id));
    expect(await deliveriesOf(another)).toEqual(others);
  });
});

describe("a log line about a failure", () => {
  const breakSecret = ({ id }: TestEndpoint) =>
    env.DB.prepare("UPDATE webhook_endpoints SET secret_encrypted = 'v1.AAAA' WHERE id = ?").bind(id).run();
  const countFailures = ({ id }: TestEndpoint) =>
    env.DB.prepare("UPDATE webhook_endpoints SET consecutive_failures = 3 WHERE id = ?").bind(id).run();
  const nothing = async () => {};

  it.each([
    ["load", "status/200", nothing, { db: failingAt(1) }],
    ["attempt", "status/200", breakSecret, {}],
    ["record", "status/200", nothing, { db: failingAt(2) }],
    ["finish", "slow/2500", nothing, { db: failingAt(3) }],
    ["move", "status/200", countFailures, { queues: failingIsDown }],
  ])("names the deliveries that the service failed to %s", async (work, behavior, prepare, services) => {
    const { workspace, endpoint } = await endpointWithEvents(behavior, 2);
    await prepare(endpoint);
    const lines = logged();
    const { leased, finishing } = await consume(workspace, services);
    await finishing();
    expect(lines().length).toBeGreaterThan(0);
    for (const line of lines()) {
      expect(line).toMatchObject({ failed: work, error: expect.any(String) });
      expect(leased.map(({ id }) => id)).toEqual(expect.arrayContaining(line.delivery_ids as string[]));
    }
    const found = new Set(lines().flatMap(({ delivery_ids }) => delivery_ids as string[]));
    if (work !== "finish") expect(found).toEqual(new Set(leased.map(({ id }) => id)));
  });

  it("is written for a message without a delivery, which is acknowledged", async () => {
    const lines = logged();
    for (const message of ["garbage", { id: "an id" }, { lease: "a lease" }])
      expect((await consumeLeased([message as never], {})).retried).toEqual([]);
    expect(lines()).toEqual(Array(3).fill({ unreadable_message: "0", error: "it names no delivery" }));
  });

  it("has the id of the cron run whose jobs failed", async () => {
    const lines = logged();
    const services = { ...servicesOf(env), db: failing(() => true) };
    await scheduled(services);
    const first = lines();
    await scheduled(services);
    const second = lines().slice(first.length);
    const failed = first.filter(({ figure }) => figure === undefined).map((line) => line.failed);
    expect(failed.slice(0, 9)).toEqual([
      "make invoices overdue",
      "enqueue due deliveries",
      "purge old events",
      "purge the ledger",
      "send kept facts",
      "purge review keys",
      "purge sessions",
      "purge invitations",
      "purge mail counts",
    ]);
    expect(failed.slice(9).toSorted()).toEqual([
      "notify owners",
      "send digests",
      "send reminders",
      "send review notices",
      "send waiting invitations",
      "warn of expiring tokens",
    ]);
    const [[id], [other]] = [first, second].map((run) => [
      ...new Set(run.map((line) => line.cron_run_id)),
    ]) as [[unknown], [unknown]];
    expect(first.every((line) => line.cron_run_id === id && line.error)).toBe(true);
    expect(second.every((line) => line.cron_run_id === other && line.error)).toBe(true);
    expect(other).not.toBe(id);
  });
});

describe("a run of the queue consumer", () => {
  it("ends without waiting for a hanging call, whose result is recorded later", async () => {
    const workspace = await makeWorkspace();
    const hanging = await register(workspace, "slow/60000");
    const healthy = await register(workspace);
    await recordEvents(workspace, 20);
    // Responds at once, because on a busy machine a real receiver would not handle twenty requests within one fair
    // run.
    const answering: typeof fetch = async (url, init) =>
      String(url).endsWith(healthy.path) ? new Response("ok") : fetch(url, init);
    const { moved, queues } = notingQueues();
    const { finishing } = await consume(workspace, { fetch: answering, queues });
    expect(await deliveriesOf(healthy)).toMatchObject(Array(20).fill({ status: "delivered", attempts: 1 }));
    expect(await deliveriesOf(hanging)).toMatchObject(Array(20).fill({ status: "pending", attempts: 0 }));
    await finishing();
    expect([isHanging(hanging.id, Date.now()), isHanging(healthy.id, Date.now())]).toEqual([true, false]);
    const left = (await deliveriesOf(hanging)).filter(({ attempts }) => attempts === 0);
    expect(left.length).toBeLessThanOrEqual(14);
    expect(moved.sort()).toEqual(left.map(({ id }) => `failing ${id}`).sort());
  });

  it.each([
    { elapsedMs: 0, left: { fast: "fast", slow: "slow", failing: "failing" }, hangs: false },
    { elapsedMs: 249, left: { fast: "fast", slow: "slow", failing: "failing" }, hangs: false },
    { elapsedMs: 250, left: { fast: "slow", slow: "slow", failing: "failing" }, hangs: false },
    { elapsedMs: 749, left: { fast: "slow", slow: "slow", failing: "failing" }, hangs: false },
    { elapsedMs: 750, left: { fast: "failing", slow: "failing", failing: "failing" }, hangs: true },
  ])(
    "moves the deliveries that wait for attempts of $elapsedMs ms, and treats the endpoint as hanging: $hangs",
    async ({ elapsedMs, left, hangs }) => {
      const runs = await Promise.all(
        Object.entries(left).map(async ([from, to]) => {
          return { from, to, ...notingQueues(), ...(await endpointWithEvents("slow/60000", 8)) };
        }),
      );
      stopClock(new Date().toISOString());
      onTestFinished(startClock);
      let started = 0;
      const never: typeof fetch = () => {
        started += 1;
        // Each run has six connections.
        if (started === 6 * runs.length) advanceClock(elapsedMs / 1000);
        return new Promise(() => {});
      };
      const nameOf = (queue: string) => `webhook-deliveries-${queue}-production`.replace("-fast", "");
      await Promise.all(
        runs.map(({ workspace, queues, from }) => consume(workspace, { queues, fetch: never }, nameOf(from))),
      );
      for (const { endpoint, moved, to } of runs) {
        expect(isHanging(endpoint.id, Date.now())).toBe(hangs);
        expect(moved.map((each) => each.split(" ")[0])).toEqual([to, to]);
      }
    },
  );

  it("treats an endpoint that responded to one of several attempts as slow, not as hanging", async () => {
    const { workspace, endpoint } = await endpointWithEvents("slow/60000", 8);
    const { moved, queues } = notingQueues();
    stopClock(new Date().toISOString());
    onTestFinished(startClock);
    let started = 0;
    const answeringOnce: typeof fetch = () => {
      started += 1;
      if (started === 7) advanceClock(1);
      return started === 1 ? Promise.resolve(new Response("ok")) : new Promise(() => {});
    };
    await consume(workspace, { queues, fetch: answeringOnce });
    expect(isHanging(endpoint.id, Date.now())).toBe(false);
    // One of the six connections became free again, so one delivery was not started.
    expect(moved.map((each) => each.split(" ")[0])).toEqual(["slow"]);
  });

  it("sends a delivery only under its current lease, and only with enough time left", async () => {
    const { workspace, endpoint } = await endpointWithEvents("status/200", 1);
    const { leased } = await consume(workspace, { db: failingAt(1) });
    const ending = new Date(Date.now() + 10_000).toISOString();
    await env.DB.prepare("UPDATE webhook_deliveries SET next_attempt_at = ? WHERE endpoint_id = ?")
      .bind(ending, endpoint.id)
      .run();
    await consumeLeased(leased, {});
    await consumeLeased([{ id: leased[0]?.id ?? "", lease: ending }], {});
    const anothers = new Date(Date.now() + 60_000).toISOString();
    await env.DB.prepare("UPDATE webhook_deliveries SET next_attempt_at = ? WHERE endpoint_id = ?")
      .bind(anothers, endpoint.id)
      .run();
    await consumeLeased(leased, {});
    await env.DB.prepare("UPDATE webhook_deliveries SET status = 'delivered' WHERE endpoint_id = ?")
      .bind(endpoint.id)
      .run();
    await consumeLeased([{ id: leased[0]?.id ?? "", lease: anothers }], {});
    expect(await received(endpoint.path)).toHaveLength(0);
  });

  it("leases deliveries for a minute", async () => {
    const { workspace } = await endpointWithEvents("status/200", 1);
    const { organizationId } = workspace;
    const [leased] = await run(env.DB, leaseDue({ organizationId, limit: 100 }));
    const leftMs = Date.parse(leased?.lease ?? "") - Date.now();
    expect(leftMs).toBeGreaterThan(50_000);
    expect(leftMs).toBeLessThanOrEqual(60_000);
  });

  it.each(["webhook-deliveries", "webhook-deliveries-slow"])(
    "does not attempt deliveries from %s to an endpoint that hung recently",
    async (name) => {
      const { workspace, endpoint } = await endpointWithEvents("status/200", 2);
      rememberHanging(endpoint.id, Date.now());
      const { moved, queues } = notingQueues();
      await consume(workspace, { queues }, name);
      expect(moved.sort()).toEqual((await deliveriesOf(endpoint)).map(({ id }) => `failing ${id}`).sort());
      expect(await received(endpoint.path)).toEqual([]);
    },
  );

  it("attempts deliveries of a failing endpoint on the failing queue", async () => {
    const { workspace, endpoint } = await endpointWithEvents("status/200", 2);
    await env.DB.prepare("UPDATE webhook_endpoints SET consecutive_failures = 3 WHERE id = ?")
      .bind(endpoint.id)
      .run();
    const answering = { fetch: async () => new Response("ok") };
    await consume(workspace, answering, "webhook-deliveries-failing");
    expect(await deliveriesOf(endpoint)).toMatchObject(Array(2).fill({ status: "delivered", attempts: 1 }));
  });

  it("treats an endpoint as hanging for 30 seconds", () => {
    const id = crypto.randomUUID();
    rememberHanging(id, 1_000_000);
    expect([isHanging(id, 1_029_999), isHanging(id, 1_030_000)]).toEqual([true, false]);
  });
});

describe("at most one attempt of a delivery counts [W20]", () => {
  it("two sweeps that find a delivery lease it only once", async () => {
    const { endpoint } = await endpointWithEvents("status/200", 3);
    const ours = (await deliveriesOf(endpoint)).map(({ id }) => id);
    const ids = JSON.stringify(await run(env.DB, findDue({ limit: 500 })));
    const both = await Promise.all([1, 2].map(() => run(env.DB, leaseByIds({ ids }))));
    const leased = both.flat().map(({ id }) => id);
    expect(leased.filter((id) => ours.includes(id)).sort()).toEqual(ours.sort());
  });

  it("an attempt whose lease was lost is only logged", async () => {
    const { workspace, endpoint } = await endpointWithEvents("status/200", 1);
    const lease = "2099-01-01T00:00:00.000Z";
    const leasedAgain = async () => {
      await env.DB.prepare("UPDATE webhook_deliveries SET next_attempt_at = ? WHERE endpoint_id = ?")
        .bind(lease, endpoint.id)
        .run();
      return new Response("ok");
    };
    await consume(workspace, { fetch: leasedAgain });
    expect(await deliveriesOf(endpoint)).toMatchObject([
      { status: "pending", attempts: 0, next_attempt_at: lease },
    ]);
    expect(await attemptsOf(workspace)).toEqual([{ error_class: null, response_status: 200 }]);
  });

  it.each([
    ["retried and held", "attempts = 1, next_attempt_at = NULL"],
    ["ended with its endpoint", "status = 'dead', next_attempt_at = NULL"],
  ])("an attempt does not change a delivery that was %s in the meantime", async (_, change) => {
    const { workspace, endpoint } = await endpointWithEvents("status/200", 1);
    let before: unknown;
    const changed = async () => {
      await env.DB.prepare(`UPDATE webhook_deliveries SET ${change} WHERE endpoint_id = ?`)
        .bind(endpoint.id)
        .run();
      before = await deliveriesOf(endpoint);
      return new Response("ok");
    };
    await consume(workspace, { fetch: changed });
    expect(await deliveriesOf(endpoint)).toEqual(before);
  });

  it("only one attempt is made if a message arrives twice in a batch", async () => {
    const { workspace, endpoint } = await endpointWithEvents("status/200", 1);
    const { organizationId } = workspace;
    const leased = await run(env.DB, leaseDue({ organizationId, limit: 1 }));
    await consumeLeased([...leased, ...leased], {});
    expect(await received(endpoint.path)).toHaveLength(1);
  });

  it("only one attempt is recorded if a repeated message causes two in the same millisecond", async () => {
    const { workspace, endpoint } = await endpointWithEvents("status/200", 1);
    const { organizationId } = workspace;
    const leased = await run(env.DB, leaseDue({ organizationId, limit: 1 }));
    const made = (await run(env.DB, loadLeased(leased))).map(
      (delivery): DeliveryAttempt => ({
        delivery,
        attemptedAt: new Date().toISOString(),
        outcome: { kind: "timeout", latencyMs: 5_000 },
        verdict: { status: "dead", nextAttemptAt: null, errorClass: "timeout" },
      }),
    );
    await batch(env.DB, [...recordAttempts(made), ...recordAttempts(made)]);
    expect(await deliveriesOf(endpoint)).toMatchObject([{ status: "dead", attempts: 1 }]);
    expect(await attemptsOf(workspace)).toEqual([{ error_class: "timeout", response_status: null }]);
  });
});

describe("an attempt after DNS rebinding [W22]", () => {
  it("does not call a host that now resolves to a private address", async () => {
    const { workspace, endpoint } = await endpointWithEvents("status/200", 2);
    await env.DB.prepare("UPDATE webhook_endpoints SET url = 'https://rebinding.example/hook' WHERE id = ?")
      .bind(endpoint.id)
      .run();
    const asked: string[] = [];
    const tookMs = 50;
    let askedAt = "";
    const services = {
      webhookTargets: {
        allowLocal: false,
        resolve: async (host: string) => {
          asked.push(host);
          askedAt = new Date().toISOString();
          await scheduler.wait(tookMs);
          return ["93.184.216.34", "127.0.0.1"];
        },
      },
      fetch: (() => down()) as typeof fetch,
    };
    expect((await consume(workspace, services)).retried).toEqual([]);
    expect(asked).toEqual(["rebinding.example"]);
    expect(await attemptsOf(workspace)).toEqual(
      Array(2).fill({ error_class: "blocked_address", response_status: null }),
    );
    const first = await env.DB.prepare(
      "SELECT attempted_at, latency_ms FROM webhook_attempts WHERE organization_id = ? ORDER BY attempted_at",
    )
      .bind(workspace.organizationId)
      .first<{ attempted_at: string; latency_ms: number }>();
    expect(String(first?.attempted_at) <= askedAt).toBe(true);
    expect(first?.latency_ms).toBeGreaterThanOrEqual(tookMs - 10);
  });

  it("does not call a host that no longer resolves", async () => {
    const { workspace, endpoint } = await endpointWithEvents("status/200", 1);
    await env.DB.prepare("UPDATE webhook_endpoints SET url = 'https://lost.example/hook' WHERE id = ?")
      .bind(endpoint.id)
      .run();
    const webhookTargets = { allowLocal: false, resolve: () => down() };
    await consume(workspace, { webhookTargets, fetch: (() => down()) as typeof fetch });
    expect(await attemptsOf(workspace)).toEqual([
      { error_class: "unresolved_address", response_status: null },
    ]);
  });
});
