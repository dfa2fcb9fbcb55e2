import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { inParallel } from "./in-parallel.ts";

describe("inParallel", () => {
  it("processes at most the given number of items at once, and returns the results in order", async () => {
    let [underWay, most] = [0, 0];
    const work = async (item: number) => {
      underWay += 1;
      most = Math.max(most, underWay);
      for (let turns = item % 3; turns >= 0; turns -= 1) await setImmediate();
      underWay -= 1;
      return item * 2;
    };
    expect(await inParallel(3, [0, 1, 2, 3, 4, 5, 6, 7], work)).toEqual([0, 2, 4, 6, 8, 10, 12, 14]);
    expect(most).toBe(3);
    expect(await inParallel(3, [], work)).toEqual([]);
  });

  it("does not start another item after a failure, and waits for the items in progress", async () => {
    const ended: number[] = [];
    const work = async (item: number) => {
      await setImmediate();
      if (item === 1) throw new Error("failed");
      await setImmediate();
      ended.push(item);
    };
    await expect(inParallel(2, [0, 1, 2, 3, 4], work)).rejects.toThrow("failed");
    expect(ended).toEqual([0]);
  });
});
