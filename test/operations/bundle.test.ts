import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { bundleWorker } from "../../bench/server.ts";

/** The platform's limit is 10 MB. */
const maxKilobytes = 360;
/** The maximum startup time as a multiple of the libraries' own, which also consist only of declarations. */
const maxStartUp = 4;
const starts = 3;

let code: Uint8Array;

beforeAll(async () => {
  code = await bundleWorker("src/worker.ts");
});

it("the bundle is at most 360 KB compressed", () => {
  expect(gzipSync(code).byteLength / 1024).toBeLessThan(maxKilobytes);
});

it("the bundle starts almost as fast as its libraries", async () => {
  const libraries = await bundleWorker("test/operations/libraries.ts");
  const ratios: number[] = [];
  for (let start = 0; start < starts; start += 1)
    ratios.push((await startUpMs(code)) / (await startUpMs(libraries)));
  ratios.sort((a, b) => a - b);
  expect(ratios[Math.floor(starts / 2)]).toBeLessThan(maxStartUp);
});

/** Stubs the platform's modules, which Node lacks. At the top level, the Worker only extends their classes. */
const platform =
  "export class DurableObject {}; export class WorkerEntrypoint {}; " +
  "export const env = {}; export const retryable = () => {};";
const platformUrl = `data:text/javascript,${encodeURIComponent(platform)}`;

/** Measures the CPU time to evaluate a bundle in a new process, which does not depend on the machine's load. */
async function startUpMs(code: Uint8Array): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "start-up-"));
  try {
    const source = Buffer.from(code)
      .toString("utf8")
      .replaceAll(/"cloudflare:[\w-]+"/g, JSON.stringify(platformUrl));
    writeFileSync(join(directory, "worker.mjs"), source);
    writeFileSync(
      join(directory, "start.mjs"),
      `const before = process.cpuUsage();
      await import("./worker.mjs");
      const { user, system } = process.cpuUsage(before);
      console.log((user + system) / 1000);`,
    );
    const environment = { ...process.env, NODE_COMPILE_CACHE: undefined };
    const { stdout } = await promisify(execFile)(process.execPath, [join(directory, "start.mjs")], {
      env: environment,
    });
    return Number(stdout);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
