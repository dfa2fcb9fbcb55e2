import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Scenario } from "../bench.ts";
import { median } from "../load.ts";
import { atMost } from "../report.ts";
import { bundleWorker } from "../server.ts";

/**
 * The CPU time that it takes to evaluate the Worker's top level, next to that of the libraries alone, which also
 * consist of declarations.
 */

const rounds = 9;

export const startUp: Scenario = async ({ progress }) => {
  progress("start-up");
  const worker = await bundleWorker("src/worker.ts");
  const libraries = await bundleWorker("bench/baselines/libraries.ts");
  const pairs: { worker: number; libraries: number }[] = [];
  for (let round = 0; round < rounds; round += 1)
    pairs.push({ worker: await startUpMs(worker), libraries: await startUpMs(libraries) });
  const ratio = median(pairs.map((pair) => pair.worker / pair.libraries));
  return {
    lines: [
      {
        scenario: "start-up",
        contender: "the Worker",
        cpuMs: median(pairs.map((pair) => pair.worker)),
        cpuRatio: ratio,
      },
      {
        scenario: "start-up",
        contender: "its libraries",
        cpuMs: median(pairs.map((pair) => pair.libraries)),
        cpuRatio: 1,
      },
    ],
    promises: [atMost("start-up: CPU as a multiple of the libraries'", ratio, 4.5)],
  };
};

/** Stubs the platform's modules, which Node lacks. At the top level, the Worker only extends their classes. */
const platform =
  "export class DurableObject {}; export class WorkerEntrypoint {}; " +
  "export const env = {}; export const retryable = () => {};";
const platformUrl = `data:text/javascript,${encodeURIComponent(platform)}`;

/** Evaluates a bundle in a new process, and returns the CPU time that this took. */
async function startUpMs(code: Uint8Array): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), "start-up-"));
  try {
    const source = Buffer.from(code)
      .toString("utf8")
      .replaceAll(/"cloudflare:[\w-]+"/g, JSON.stringify(platformUrl));
    await writeFile(join(directory, "worker.mjs"), source);
    await writeFile(
      join(directory, "start.mjs"),
      `const before = process.cpuUsage();
      await import("./worker.mjs");
      const { user, system } = process.cpuUsage(before);
      console.log((user + system) / 1000);`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [join(directory, "start.mjs")], {
      env: { ...process.env, NODE_COMPILE_CACHE: undefined },
    });
    return Number(stdout);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
