/**
 * Part of `npm run test:faults`: the drill of a lost account, with a night of a local service. The drill itself compares
 * every row and image of a workspace. Exits 0 only if it found them all.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveWithNight } from "../support/night.ts";

const root = join(import.meta.dirname, "..", "..");
const directory = mkdtempSync(join(tmpdir(), "partner-api-night-"));
const folder = join(directory, "outside");

function run(script: string, parameters: string[]): void {
  const { status } = spawnSync(
    process.execPath,
    ["--no-warnings", join(root, "scripts", script), ...parameters],
    {
      cwd: root,
      env: { ...process.env, STATE_DIR: directory },
      stdio: "inherit",
    },
  );
  if (status !== 0) throw new Error(`${script} ended with ${status}`);
}

try {
  const running = await serveWithNight(directory);
  try {
    run("pull-backup.ts", ["--to", folder]);
  } finally {
    await running.stop();
  }
  run("drill-backup.ts", ["--from", folder, "--organization", "demo"]);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
process.exit(0);
