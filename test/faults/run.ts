/**
 * `npm run test:faults`: all parts one after another, or those that are named (`npm run test:faults -- neighbours`).
 * Each is a process of its own; the first that finds a broken promise ends the run with its code.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const parts = ["kill", "exactly-once", "payments", "reviews", "feed", "request-log", "neighbours", "full"];

const named = process.argv.slice(2);
const unknown = named.find((part) => !parts.includes(part));
if (unknown !== undefined) {
  console.error(`There is no part ${unknown}: ${parts.join(", ")}`);
  process.exit(1);
}
for (const part of named.length > 0 ? named : parts) {
  console.log(`\n${part}`);
  const script = join(import.meta.dirname, `${part}.ts`);
  const { status } = spawnSync(process.execPath, ["--no-warnings", script], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
