import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { openAdmin } from "../../scripts/admin/connection.ts";
import { freePort } from "../../scripts/local/port.ts";
import { type RunningServer, serve } from "../../scripts/local/serve.ts";
import { stateAt } from "../../scripts/local/state.ts";
import { runCommand, stateDirectory } from "./service.ts";

/** The night's copy, a folder outside the account, and the service restored from that folder only. */

const script = (name: string) => join(import.meta.dirname, "..", "..", "scripts", name);

async function madeTonight({ server }: RunningServer, directory: string): Promise<void> {
  const connection = await openAdmin(stateAt(directory));
  try {
    for (let tries = 0; tries < 60; tries += 1) {
      const fired = `${server.base_url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`;
      await (await fetch(fired, { method: "POST" })).text();
      const outcome = await connection.run("list-backup-files", { after: "2" });
      const { files } = (outcome as { result: { files: { name: string }[] } }).result;
      if (files.some(({ name }) => name.endsWith("/pages"))) return;
    }
  } finally {
    await connection.close();
  }
  throw new Error("the night's copy did not end");
}

/** Starts a pull, and kills it once some files are there. */
async function killedPull(folder: string, directory: string): Promise<number> {
  const env = { ...process.env, STATE_DIR: directory, npm_lifecycle_event: undefined };
  const pull = spawn(process.execPath, ["--no-warnings", script("pull-backup.ts"), "--to", folder], { env });
  const ended = new Promise((resolve) => pull.once("close", resolve));
  const files = () => (existsSync(folder) ? readdirSync(folder, { recursive: true }).length : 0);
  while (files() < 10 && pull.exitCode === null) await wait(5);
  pull.kill("SIGKILL");
  await ended;
  return files();
}

it("npm run drill:backup restores a workspace with its images from what pull-backup copied [B8]", async () => {
  const [own, other] = [stateDirectory(), stateDirectory()];
  const [folder, out] = [join(other.directory, "outside"), join(other.directory, "export")];
  const running = await serve(stateAt(own.directory), {
    port: await freePort(),
    parameters: ["--log-level", "error", "--var", "BACKUP_HOUR:0"],
    onProgress: () => {},
  });
  try {
    const alone = await runCommand("pull-backup.ts", ["--to", folder], other.directory);
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringMatching(/^No local server is running/)]);
    await madeTonight(running, own.directory);
    expect(await killedPull(folder, own.directory)).toBeGreaterThanOrEqual(10);
    const pulled = await runCommand("pull-backup.ts", ["--to", folder], own.directory);
    expect(pulled).toMatchObject({ code: 0, stdout: expect.stringMatching(/1 nights, the newest of /) });
    const again = await runCommand("pull-backup.ts", ["--to", folder], own.directory);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0 new files \(0 bytes\)/) });
    const from = join(other.directory, "from");
    const exported = ["export-organization", "--complete", "true", "--out", from];
    expect((await runCommand("admin.ts", exported, own.directory)).code).toBe(0);
    await running.stop();

    const drilled = ["--from", folder, "--organization", "demo", "--out", out];
    const { code, stdout, stderr } = await runCommand("drill-backup.ts", drilled, other.directory);
    expect([code, /✗.*/s.exec(stderr)?.[0], stdout.match(/^✓/gm)?.length, stdout]).toEqual([
      0,
      undefined,
      5,
      expect.stringMatching(/\ndemo is back, with its images\.\n$/),
    ]);
    // Against the service that the night was copied from, whose deliveries, counts and log have changed since.
    const still =
      /^\{"(?:image|table":"(?:clients|projects|time_entries|deliverables|deliverable_versions|sign_offs))"/;
    const manifest = (path: string) =>
      readFileSync(join(path, "manifest.jsonl"), "utf8")
        .split("\n")
        .filter((line) => still.test(line));
    expect(manifest(out)).toEqual(manifest(from));
    expect(manifest(out).length).toBeGreaterThan(10);

    const [image] = readdirSync(join(folder, "images"), { recursive: true, encoding: "utf8" }).filter(
      (path) => /\.\w+$/.test(path),
    );
    rmSync(join(folder, "images", String(image)));
    const torn = await runCommand("drill-backup.ts", drilled.slice(0, 4), other.directory);
    expect([torn.code, torn.stderr]).toEqual([
      1,
      expect.stringContaining("This folder is not whole: the image"),
    ]);
  } finally {
    await running.stop();
    own.remove();
    other.remove();
  }
});
