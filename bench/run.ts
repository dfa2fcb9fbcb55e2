import { writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import type { Work } from "./bench.ts";
import { Database } from "./database.ts";
import { type Promised, promisesOf, type Report, round, tableOf } from "./report.ts";
import { migrateAndSeed } from "./seed.ts";
import { serve } from "./server.ts";
import { bundle } from "./works/bundle.ts";
import { minute } from "./works/minute.ts";
import { create, get, list, replay } from "./works/requests.ts";
import { rows } from "./works/rows.ts";
import { trips } from "./works/trips.ts";
import { webhooks } from "./works/webhooks.ts";

/** `npm run bench` measures every work, `npm run bench -- list get` these; docs/design/performance.md reads the table. */

/** In this order: the last ones grow the tables. */
const works: Record<string, Work> = { bundle, trips, list, get, create, replay, webhooks, rows, minute };

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in works));
if (unknown.length > 0) {
  console.error(`No such work: ${unknown.join(", ")}. There are ${Object.keys(works).join(", ")}.`);
  process.exit(2);
}
const chosen = Object.entries(works).filter(([name]) => wanted.length === 0 || wanted.includes(name));

const startedMs = performance.now();
const progress = (text: string) => {
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${seconds} s  ${text}`);
  else console.error(`${seconds} s  ${text}`);
};

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const report: Report = { lines: [], promises: [] };
progress("bundling and seeding");
const server = await serve();
try {
  const database = new Database(server.addressOf("d1"));
  await migrateAndSeed(database);
  for (const [, work] of chosen) {
    const { lines, promises } = await work({ server, database, progress });
    report.lines.push(...lines);
    report.promises.push(...promises);
  }
} finally {
  await server.stop();
}
if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");

console.log(`${tableOf(report.lines)}\n\n${promisesOf(report.promises)}`);
if (report.promises.some(({ kept }) => !kept)) process.exitCode = 1;
if (wanted.length === 0) await keep(report.promises);

/** The figures of a whole run; those of a part are only printed. */
async function keep(promises: readonly Promised[]): Promise<void> {
  const machine = `${cpus()[0]?.model ?? "unknown CPU"}, ${availableParallelism()} cores, Node ${process.version}`;
  const rounded = (_: string, value: unknown) => (typeof value === "number" ? round(value) : value);
  const results = { machine, lines: report.lines, promises };
  await writeFile(join(import.meta.dirname, "results.json"), `${JSON.stringify(results, rounded, 2)}\n`);
}
