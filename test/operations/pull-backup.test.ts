import { spawn } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { serveWithBackup } from "../support/serve-with-backup.ts";
import { runCommand, stateDirectory } from "./service.ts";

async function killedPull(folder: string, directory: string): Promise<number> {
  const env = { ...process.env, STATE_DIR: directory, npm_lifecycle_event: undefined };
  const script = join(import.meta.dirname, "..", "..", "scripts", "pull-backup.ts");
  const pull = spawn(process.execPath, ["--no-warnings", script, "--to", folder], { env });
  const ended = new Promise((resolve) => pull.once("close", resolve));
  const files = () => (existsSync(folder) ? readdirSync(folder, { recursive: true }).length : 0);
  while (files() < 10 && pull.exitCode === null) await wait(5);
  pull.kill("SIGKILL");
  await ended;
  return files();
}

/**
 * Runs only in `npm run test:faults`, because it starts a service and seven commands and waits for a nightly backup.
 */
it.runIf(process.env.FAULTS)(
  "pull-backup continues where it was killed, and an incomplete folder cannot be restored [B8]",
  async () => {
    const [own, other] = [stateDirectory(), stateDirectory()];
    const folder = join(other.directory, "outside");
    const running = await serveWithBackup(own.directory);
    try {
      const withoutServer = await runCommand("pull-backup.ts", ["--to", folder], other.directory);
      expect([withoutServer.code, withoutServer.stderr]).toEqual([
        1,
        expect.stringMatching(/^No local server is running/),
      ]);
      expect(await killedPull(folder, own.directory)).toBeGreaterThanOrEqual(10);
      const pulled = await runCommand("pull-backup.ts", ["--to", folder], own.directory);
      expect(pulled).toMatchObject({ code: 0, stdout: expect.stringMatching(/1 nights, the newest of /) });
      const again = await runCommand("pull-backup.ts", ["--to", folder], own.directory);
      expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0 new files \(0 bytes\)/) });
      const pushed = await runCommand("push-backup.ts", ["--from", folder], own.directory);
      expect(pushed).toMatchObject({ code: 0, stdout: expect.stringMatching(/images; 0 were missing/) });

      const [image] = readdirSync(join(folder, "images"), { recursive: true, encoding: "utf8" }).filter(
        (path) => /\.\w+$/.test(path),
      );
      rmSync(join(folder, "images", String(image)));
      const torn = await runCommand("drill-backup.ts", ["--from", folder], other.directory);
      expect([torn.code, torn.stderr]).toEqual([
        1,
        expect.stringContaining("This folder is incomplete: the image"),
      ]);
      expect(torn.stdout).not.toContain("The service is");
    } finally {
      await running.stop();
      own.remove();
      other.remove();
    }
  },
);
