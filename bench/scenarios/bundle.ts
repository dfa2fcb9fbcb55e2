import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { Scenario } from "../bench.ts";
import { median } from "../load.ts";
import { atMost } from "../report.ts";
import { bundleWorker as bundled } from "../server.ts";

/** What `wrangler deploy` uploads, and how long its top level takes: it may declare, and do nothing else. */

/** The platform allows 10 MB. What is bundled is noticed as it grows. */
const maxKilobytes = 300;
/** The platform allows a second; declarations alone need a fraction of it. */
const maxStartUpMs = 300;
/** Of what its libraries take alone, which declare as well: it means something on another machine, too. */
const maxStartUp = 4;
const starts = 7;

export const bundle: Scenario = async (bench) => {
  bench.progress("bundle: size and start-up");
  const code = await bundled("src/worker.ts");
  const libraries = await bundled("bench/baselines/libraries.ts");
  const kilobytes = gzipSync(code).byteLength / 1024;
  const timesMs: number[] = [];
  const ratios: number[] = [];
  for (let start = 0; start < starts; start += 1) {
    const ms = await startUpMs(code);
    timesMs.push(ms);
    ratios.push(ms / (await startUpMs(libraries)));
  }
  return {
    lines: [],
    promises: [
      atMost("bundle: KB gzip", kilobytes, maxKilobytes),
      atMost("bundle: ms to start up", median(timesMs), maxStartUpMs),
      atMost("bundle: start-up of its libraries'", median(ratios), maxStartUp),
    ],
  };
};

/** The platform's own modules have no counterpart in Node: their classes are only extended at the top level. */
const platform =
  "export class DurableObject {}; export class WorkerEntrypoint {}; " +
  "export const env = {}; export const retryable = () => {};";
const platformUrl = `data:text/javascript,${encodeURIComponent(platform)}`;

/** Milliseconds to evaluate a bundle in a fresh process. */
async function startUpMs(code: Uint8Array): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), "partner-api-start-"));
  try {
    const source = Buffer.from(code)
      .toString("utf8")
      .replaceAll(/"cloudflare:[\w-]+"/g, JSON.stringify(platformUrl));
    await writeFile(join(directory, "worker.mjs"), source);
    await writeFile(
      join(directory, "start.mjs"),
      'const startedMs = performance.now(); await import("./worker.mjs"); console.log(performance.now() - startedMs);',
    );
    const { stdout } = await promisify(execFile)(process.execPath, [join(directory, "start.mjs")]);
    return Number(stdout);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
