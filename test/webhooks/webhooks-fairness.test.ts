import { env } from "cloudflare:workers";
import { describe, expect, inject, it } from "vitest";
import { replayLimits, sendingLimits } from "../../src/contract/webhook-limits.ts";
import { admin } from "../support/admin.ts";
import {
  arrived,
  deliveriesOf,
  draftInvoices,
  insertDeliveries,
  minute,
  recordEvents,
  register,
  settled,
} from "../support/webhooks.ts";
import { makeWorkspace } from "../support/workspace.ts";

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function delaysMs(endpoint: Awaited<ReturnType<typeof register>>): Promise<number[]> {
  await settled(endpoint, 1, 60_000);
  const { results } = await env.DB.prepare(
    `SELECT attempted_at, events.created_at FROM webhook_deliveries JOIN events ON events.id = event_id
       JOIN webhook_attempts ON delivery_id = webhook_deliveries.id AND attempt_number = 1
     WHERE endpoint_id = ?`,
  )
    .bind(endpoint.id)
    .all<{ attempted_at: string; created_at: string }>();
  return results
    .map(({ attempted_at, created_at }) => Date.parse(attempted_at) - Date.parse(created_at))
    .sort((left, right) => left - right);
}

const percentile = (ascending: readonly number[], share: number) =>
  ascending[Math.ceil(ascending.length * share) - 1] as number;

/** Two seconds, plus five for a busy machine. It would take minutes if it waited for the attempts that time out. */
const limitMs = 2_000 + 5_000;

/** Expects an unrelated workspace's webhooks to be attempted in time from the next cron run on. */
async function expectNoDelay(count: number, everyMs: number): Promise<void> {
  const other = await makeWorkspace();
  // Uses a different host from the slow receivers, because all workspaces share a host's limit.
  const base = inject("receivers").http.replace("127.0.0.1", "localhost");
  const healthy = await register(other, undefined, { base });
  const invoices = await draftInvoices(other, count);
  await minute();
  for (const id of invoices) {
    await admin(other, "issue-invoice", { id });
    await pause(everyMs);
  }
  await arrived(healthy, count, 60_000);
  const delays = await delaysMs(healthy);
  expect(delays).toHaveLength(count);
  console.info(`p50 ${percentile(delays, 0.5)} ms, p95 ${percentile(delays, 0.95)} ms`);
  expect(percentile(delays, 0.95)).toBeLessThan(limitMs);
}

describe("an endpoint that always times out", () => {
  it("does not delay another organization's first attempt, even with 200 earlier deliveries [N8]", async () => {
    const dead = await makeWorkspace();
    const silent = await register(dead, "any", { base: inject("receivers").silent.http });
    await recordEvents(dead, 200);
    await expectNoDelay(40, 50);
    expect(await deliveriesOf(silent)).toHaveLength(200);
  }, 120_000);

  it("does not delay a burst of deliveries to a slow receiver, even with 200 earlier deliveries", async () => {
    const dead = await makeWorkspace();
    await register(dead, "any", { base: inject("receivers").silent.http });
    const other = await makeWorkspace();
    const slow = await register(other, "slow/300");
    await recordEvents(dead, 200);
    await minute();
    await recordEvents(other, 40);
    await minute();
    await arrived(slow, 40, 60_000);
    const delays = await delaysMs(slow);
    expect(delays).toHaveLength(40);
    expect(delays.at(-1)).toBeLessThan(2 * limitMs);
  }, 120_000);

  it("does not delay other endpoints, even if there are 20 of them", async () => {
    for (let index = 0; index < 20; index += 1) {
      const dead = await makeWorkspace();
      await register(dead, "any", { base: inject("receivers").silent.http });
      await recordEvents(dead, 5);
    }
    await expectNoDelay(20, 100);
  }, 120_000);
});

it("a burst of 600 deliveries to a slow receiver does not delay another organization's first attempt", async () => {
  const bursting = await makeWorkspace();
  await register(bursting, "slow/400");
  await recordEvents(bursting, 600);
  await minute();
  await expectNoDelay(20, 50);
}, 120_000);

describe("a replay of 10,000 deliveries", () => {
  it("is spread over time, and does not delay another organization's first attempt", async () => {
    const replaying = await makeWorkspace();
    const endpoint = await register(replaying);
    await insertDeliveries(replaying, endpoint.id, 10_000, "dead");
    const startedMs = Date.now();
    const done = await admin(replaying, "replay-webhook-deliveries", { endpoint: endpoint.id });
    expect(done).toEqual({ matched: 10_000, replayed: 10_000 });
    const { results } = await env.DB.prepare(
      `SELECT count(*) AS due, substr(next_attempt_at, 1, 19) AS second FROM webhook_deliveries
       WHERE endpoint_id = ? AND status = 'pending' AND attempts = 0 GROUP BY 2`,
    )
      .bind(endpoint.id)
      .all<{ due: number; second: string }>();
    // Deliveries leased in the meantime become due when their lease expires, but none is due later than that.
    const leasesEndMs = Date.now() + (sendingLimits.leaseSeconds + 1) * 1000;
    const isLater = ({ second }: { second: string }) => Date.parse(`${second}Z`) > leasesEndMs;
    const later = results.filter(isLater).map(({ due }) => due);
    const sooner = results.filter((each) => !isLater(each)).reduce((sum, { due }) => sum + due, 0);
    const secondsBefore = (leasesEndMs - startedMs) / 1000;
    // Allows one more, because a time may be rounded into the previous second.
    expect(Math.max(...later)).toBeLessThanOrEqual(replayLimits.perSecond + 1);
    expect(later.length).toBeGreaterThan(10_000 / replayLimits.perSecond - secondsBefore - 3);
    expect(sooner).toBeLessThanOrEqual((secondsBefore + 2) * replayLimits.perSecond);
    await expectNoDelay(20, 50);
    const waiting = (await deliveriesOf(endpoint)).filter(({ status }) => status === "pending");
    expect(waiting.length).toBeGreaterThan(9_000);
  }, 120_000);
});
