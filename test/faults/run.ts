/**
 * `npm run test:faults` runs all parts in sequence, or only the named ones (`npm run test:faults -- neighbors`). Each
 * part runs in a separate process. The run stops at the first failure and exits with its code.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const here = import.meta.dirname;
const root = join(here, "..", "..");
const scripts = [
  "kill",
  "exactly-once",
  "payments",
  "reviews",
  "feed",
  "request-log",
  "neighbors",
  "move",
  "full",
];
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");

const parts: Record<string, string[]> = {
  ...Object.fromEntries(scripts.map((name) => [name, [join(here, `${name}.ts`)]])),
  agents: [vitest, "run", "test/client/mcp.test.ts"],
  "pull-backup": [vitest, "run", "test/operations/pull-backup.test.ts"],
  "drill-restore": [join(root, "scripts", "drill-restore.ts")],
  "drill-backup": [join(here, "drill-backup.ts")],
};
/** FAULTS enables the tests that `npm test` skips. RETRIES_OF_HANDLE raises an agent's commits to 1,000. */
const environment = { ...process.env, FAULTS: "true", RETRIES_OF_HANDLE: "17" };

const named = process.argv.slice(2);
const unknown = named.find((part) => !(part in parts));
if (unknown !== undefined) {
  console.error(`There is no part ${unknown}: ${Object.keys(parts).join(", ")}`);
  process.exit(1);
}
for (const part of named.length > 0 ? named : Object.keys(parts)) {
  console.log(`\n${part}`);
  const { status } = spawnSync(process.execPath, ["--no-warnings", ...(parts[part] ?? [])], {
    cwd: root,
    env: environment,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
