/**
 * Part of `npm run test:faults`: webhooks. Kills the service with SIGKILL at random times under load, restarts it on
 * the same state, and checks that no event or delivery is lost. Exits with 0 only if every promise was kept.
 */

import { setTimeout as pause } from "node:timers/promises";
import { findingsOf, type Kill } from "./findings.ts";
import { loadUntil } from "./load.ts";
import { migrateDatabase } from "./migrate.ts";
import { type FaultReceiver, startReceiver } from "./receiver.ts";
import { between, startTemporaryService } from "./service.ts";
import { prepareWorkspace, registerReceiver } from "./workspace.ts";

const wanted = Number(process.env.KILLS ?? 25);
/** How long the service runs under load before each kill. */
const lifeMs = { least: 150, most: 2_000 };
/** Longer than a lease (60 s) plus the first retry (10 s). */
const settleWithinMs = 120_000;

await using service = await startTemporaryService();
const receivers = [
  await startReceiver(() => 200),
  // Fails every first attempt, so that kills also interrupt retries.
  await startReceiver((visit) => (visit === 1 ? 503 : 200)),
];

try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  for (const receiver of receivers) receiver.close();
}

async function run(): Promise<boolean> {
  const startedMs = Date.now();
  await migrateDatabase(service);
  const stock = await prepareWorkspace(service, { drafts: 6_000, deliverables: 60 });
  const registered = new Map<string, FaultReceiver>();
  for (const receiver of receivers) {
    registered.set(await registerReceiver(service, stock.organizationId, receiver), receiver);
  }

  const kills: Kill[] = [];
  let interrupted = 0;
  while (kills.length < wanted) {
    const stop = new AbortController();
    const loading = loadUntil(service, stock, stop.signal);
    await pause(between(lifeMs));
    const fromMs = Date.now();
    await service.kill();
    stop.abort();
    await loading;
    kills.push({ fromMs, untilMs: Date.now() });
    await service.restart();
    const [{ leased = 0 } = {}] = await service.sql<{ leased: number }>(
      `SELECT count(*) AS leased FROM webhook_deliveries WHERE status = 'pending'
        AND next_attempt_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+40 seconds')`,
    );
    interrupted += leased > 0 ? 1 : 0;
    console.log(`kill ${kills.length} of ${wanted}: ${leased} deliveries were claimed and not settled`);
  }

  const settledAfterMs = await settle();
  const { broken, ...figures } = await findingsOf(service, registered, kills);
  console.table({
    "SIGKILLs under load": kills.length,
    "of them with deliveries in flight": interrupted,
    "events committed": figures.events,
    "deliveries (2 endpoints)": figures.deliveries,
    "deliveries lost or still pending": broken.filter((text) => /never taken|is pending/.test(text)).length,
    "requests received": figures.requests,
    "deliveries sent again after a 2xx": figures.sentAgain,
    "most requests of one delivery": figures.maxRequestsOfOne,
    "seconds from the last kill to all settled": Math.round(settledAfterMs / 1000),
    "seconds in all": Math.round((Date.now() - startedMs) / 1000),
  });
  for (const text of broken.slice(0, 20)) console.error(`✗ ${text}`);
  console.log(broken.length === 0 ? "Nothing was lost." : `${broken.length} promises did not hold.`);
  return broken.length === 0;
}

async function settle(): Promise<number> {
  const fromMs = Date.now();
  for (;;) {
    await service.minute();
    const [{ pending = 0 } = {}] = await service.sql<{ pending: number }>(
      "SELECT count(*) AS pending FROM webhook_deliveries WHERE status = 'pending'",
    );
    const afterMs = Date.now() - fromMs;
    if (pending === 0 || afterMs > settleWithinMs) return afterMs;
    await pause(500);
  }
}
