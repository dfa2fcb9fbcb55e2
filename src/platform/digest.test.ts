import { expect, it } from "vitest";
import { equalInConstantTime } from "./digest.ts";

it("equalInConstantTime compares strings of any length by their bytes", () => {
  const compared = ["key", "kez", "ke", "keys", ""].map((other) => equalInConstantTime("key", other));
  expect(compared).toEqual([true, false, false, false, false]);
});
