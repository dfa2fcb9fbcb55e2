import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { retry } from "./timeout.ts";

const steps: string[] = [];
beforeEach(() => {
  steps.length = 0;
  vi.stubGlobal("scheduler", { wait: async () => steps.push("pause") });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** Creates work that fails this many times. */
const failing = (times: number) => async () => {
  steps.push("try");
  const tries = steps.filter((step) => step === "try").length;
  if (tries <= times) throw new Error(`failure ${tries}`);
  return tries;
};

it("retry makes the first attempt at once and pauses only between attempts", async () => {
  expect(await retry(failing(0))).toBe(1);
  expect(steps).toEqual(["try"]);
});

it("retry returns the result of the first successful attempt", async () => {
  expect(await retry(failing(2))).toBe(3);
  expect(steps).toEqual(["try", "pause", "try", "pause", "try"]);
});

it("retry throws the error of the third attempt", async () => {
  await expect(retry(failing(3))).rejects.toThrow("failure 3");
  expect(steps).toEqual(["try", "pause", "try", "pause", "try"]);
});
