/**
 * Part of `npm run test:faults`: for a minute, a hostile workspace repeats every attack that once slowed down or filled
 * the service, or sent e-mails in another workspace's name, while a quiet workspace works as usual. The quiet
 * workspace's 95th percentile must stay within `maxRatio` of its baseline. All its requests must succeed, its events
 * must arrive, its e-mails must be sent, and its overdue invoices must be marked overdue.
 */

import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { sendingLimits } from "../../src/contract/webhook-limits.ts";
import type { Seen } from "./hostile.ts";
import { migrateDatabase } from "./migrate.ts";
import { Quiet } from "./quiet.ts";
import { startTemporaryService } from "./service.ts";

const aloneMs = 30_000;
const besideMs = 60_000;
/** Cron runs are more frequent than in production. */
const minuteMs = 15_000;
/**
 * The goal is three. Local workerd has one thread for all requests, while production spreads them over many isolates.
 * We measured two to four on two otherwise idle cores, up to eleven on a busy machine, and about twenty on cores of
 * half that speed.
 */
const maxRatio = 6;
/** A round trip to a database in the same data center. */
const databaseMs = 10;
/** Leaves the quiet workspace's deliveries and e-mails time for one retry and a cron run. */
const settleWithinMs = 60_000;
/**
 * A POST starts up to a second after it is granted, so a ten-second window can contain eleven seconds' worth of POSTs.
 */
const hostSeconds = 10;
const maxPostsToHost = sendingLimits.postsToHostPerSecond * (hostSeconds + 1);

let printed = "";
await using service = await startTemporaryService({
  onPrinted: (text) => {
    printed += text;
  },
  databaseMs,
});
const quiet = new Quiet(service);
let hostile: Worker | undefined;

try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  quiet.close();
  await hostile?.terminate();
}

async function run(): Promise<boolean> {
  await migrateDatabase(service);
  await quiet.prepare();
  hostile = new Worker(join(import.meta.dirname, "hostile-thread.ts"), {
    workerData: { baseUrl: service.baseUrl, toolsUrl: service.toolsUrl },
  });
  await once(hostile, "message");
  // Warms up, because the first requests compile code and fill caches.
  await quiet.workFor(5_000);
  const alone = await quiet.workFor(aloneMs);
  const stop = new AbortController();
  const minutes = everyMinute(stop.signal);
  hostile.postMessage("attack");
  const beside = await quiet.workFor(besideMs);
  stop.abort();
  hostile.postMessage("stop");
  const [{ statuses, posts }] = (await once(hostile, "message")) as [Seen];
  await minutes;
  const settledBy = Date.now() + settleWithinMs;
  while (Date.now() < settledBy && !(await quiet.isSettled(printed))) {
    await service.minute();
    await pause(1_000);
  }
  console.table(statuses);
  const [before, during] = [percentile95(alone), percentile95(beside)];
  const most = mostWithin(posts, hostSeconds * 1000);
  const findings: [string, boolean][] = [
    [
      `the quiet workspace's p95 was ${before.toFixed(0)} ms alone and ${during.toFixed(0)} ms beside the other ` +
        `(${(during / before).toFixed(1)} times, over ${alone.length} and ${beside.length} requests)`,
      during <= maxRatio * before,
    ],
    [
      `${quiet.failed.length} of its requests failed ${quiet.failed.slice(0, 3).join(", ")}`,
      quiet.failed.length === 0,
    ],
    ...(await quiet.findings(printed)),
    [
      `the other's host got ${posts.length} POSTs, at most ${most} within ${hostSeconds} seconds`,
      posts.length > 0 && most <= maxPostsToHost,
    ],
    [`the other was refused ${statuses["429"] ?? 0} times`, (statuses["429"] ?? 0) > 0],
  ];
  for (const [finding, held] of findings) console.log(`${held ? "✓" : "✗"} ${finding}`);
  return findings.every(([, held]) => held);
}

/** Triggers the cron, which also has to process the hostile workspace's overdue invoices. */
async function everyMinute(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await service.minute();
    await pause(minuteMs);
  }
}

function percentile95(milliseconds: readonly number[]): number {
  const ascending = milliseconds.toSorted((left, right) => left - right);
  return ascending[Math.ceil(ascending.length * 0.95) - 1] ?? Number.NaN;
}

function mostWithin(atMs: readonly number[], spanMs: number): number {
  const ascending = atMs.toSorted((left, right) => left - right);
  let start = 0;
  let most = 0;
  for (const [end, at] of ascending.entries()) {
    while (at - (ascending[start] ?? at) >= spanMs) start += 1;
    most = Math.max(most, end - start + 1);
  }
  return most;
}
