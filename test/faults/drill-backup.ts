/**
 * Part of `npm run test:faults`: runs `npm run drill:backup` on a local service's nightly backup. The drill compares
 * every row and image in a workspace, and exits with 0 only if none is missing.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveWithBackup } from "../support/serve-with-backup.ts";

const root = join(import.meta.dirname, "..", "..");
const directory = mkdtempSync(join(tmpdir(), "partner-api-night-"));
const folder = join(directory, "outside");

async function run(script: string, parameters: string[]): Promise<void> {
  const child = spawn(process.execPath, ["--no-warnings", join(root, "scripts", script), ...parameters], {
    cwd: root,
    env: { ...process.env, STATE_DIR: directory, npm_lifecycle_event: undefined },
    stdio: "inherit",
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
}

try {
  const running = await serveWithBackup(directory);
  try {
    await run("pull-backup.ts", ["--to", folder]);
  } finally {
    await running.stop();
  }
  await run("drill-backup.ts", ["--from", folder, "--organization", "demo"]);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
process.exit(0);
