import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { bundleWorker } from "../../bench/server.ts";

/** The platform's limit is 10 MB. */
const maxKilobytes = 360;

it("the Worker's bundle is at most 360 KB compressed", async () => {
  expect(gzipSync(await bundleWorker("src/worker.ts")).byteLength / 1024).toBeLessThan(maxKilobytes);
});
