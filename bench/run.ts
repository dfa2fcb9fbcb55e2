import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import type { Scenario } from "./bench.ts";
import { Database } from "./database.ts";
import { billsTable, markdownTable, type Promised, promisesOf, type Report, round } from "./report.ts";
import { cost } from "./scenarios/cost.ts";
import { deliveries } from "./scenarios/deliveries.ts";
import { filters } from "./scenarios/filters.ts";
import { front } from "./scenarios/front.ts";
import { create, get, list, logLineCost, replay, requestLogCost } from "./scenarios/requests.ts";
import { rowsRead } from "./scenarios/rows.ts";
import { startUp } from "./scenarios/start-up.ts";
import { steady } from "./scenarios/steady.ts";
import { webhooks } from "./scenarios/webhooks.ts";
import { migrateAndSeed } from "./seed.ts";
import { serveWorker } from "./server.ts";

/**
 * `npm run bench` measures every scenario; `npm run bench -- list get` measures only these two. See
 * docs/design/performance.md.
 */

/** The order matters, because the last scenarios make the tables grow. */
const scenarios: Record<string, Scenario> = {
  list,
  "log-line": logLineCost,
  "request-log": requestLogCost,
  front,
  "start-up": startUp,
  get,
  create,
  replay,
  cost,
  steady,
  webhooks,
  rows: rowsRead,
  filters,
  deliveries,
};

const { positionals: wanted } = parseArgs({ allowPositionals: true });
const unknown = wanted.filter((name) => !(name in scenarios));
if (unknown.length > 0) {
  console.error(`No such scenario: ${unknown.join(", ")}. There are ${Object.keys(scenarios).join(", ")}.`);
  process.exit(2);
}
const chosen = Object.entries(scenarios).filter(([name]) => wanted.length === 0 || wanted.includes(name));

const startedMs = performance.now();
const progress = (text: string) => {
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${seconds} s  ${text}`);
  else console.error(`${seconds} s  ${text}`);
};

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const report = { lines: [], bills: [], promises: [] } satisfies Report as Required<Report>;
progress("bundling and seeding");
const server = await serveWorker();
let failure: unknown;
try {
  const database = new Database(server.addressOf("d1"));
  await migrateAndSeed(database);
  for (const [, scenario] of chosen) {
    const { lines, bills = [], promises } = await scenario({ server, database, progress });
    report.lines.push(...lines);
    report.bills.push(...bills);
    report.promises.push(...promises);
  }
} catch (error) {
  failure = error;
} finally {
  await server.stop();
}
if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");

const tables = [
  report.lines.length > 0 && markdownTable(report.lines),
  report.bills.length > 0 && billsTable(report.bills),
  promisesOf(report.promises),
];
console.log(tables.filter(Boolean).join("\n\n"));
// Rethrown here, so that earlier results are printed first.
if (failure) throw failure;
if (report.promises.some(({ kept }) => !kept)) process.exitCode = 1;
if (wanted.length === 0) await keep(report.promises);

/** Saves the results of a full run; a partial run only prints them. */
async function keep(promises: readonly Promised[]): Promise<void> {
  const machine = `${cpus()[0]?.model ?? "unknown CPU"}, ${availableParallelism()} cores, Node ${process.version}`;
  const rounded = (_: string, value: unknown) => (typeof value === "number" ? round(value) : value);
  const results = { machine, lines: report.lines, bills: report.bills, promises };
  const file = join(import.meta.dirname, "..", ".wrangler", "bench.json");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(results, rounded, 2)}\n`);
}
