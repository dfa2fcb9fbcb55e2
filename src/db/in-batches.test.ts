import { expect, it } from "vitest";
import { inBatches } from "./in-batches.ts";

it.each([
  ["there is nothing to do", [0], 0, 1],
  ["a step is not full", [9], 9, 1],
  ["the second step is not full", [10, 3], 13, 2],
  ["a step after a full one finds nothing", [10, 0], 10, 2],
  ["it reaches the maximum number of rounds", [10, 10, 10, 10], 30, 3],
])("inBatches repeats a step of at most 10 rows until %s", async (_, steps, taken, rounds) => {
  const left = [...steps];
  expect(await inBatches({ maxRows: 10, maxBatches: 3 }, async () => left.shift() ?? 0)).toBe(taken);
  expect(steps.length - left.length).toBe(rounds);
});
