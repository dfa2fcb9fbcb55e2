import { expect, it } from "vitest";
import { derivedUuid, equalInConstantTime } from "./digest.ts";

it("parts give one UUID of version 8, and other parts another", () => {
  const made = Array.from({ length: 64 }, (_, index) => derivedUuid("organization", "route", `key ${index}`));
  for (const id of made)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(made).size).toBe(64);
  expect(derivedUuid("organization", "route", "key 0")).toBe(made[0]);
  expect(derivedUuid("a", "bc")).not.toBe(derivedUuid("ab", "c"));
});

it("texts are equal by their bytes, whatever their lengths", () => {
  const compared = ["key", "kez", "ke", "keys", ""].map((other) => equalInConstantTime("key", other));
  expect(compared).toEqual([true, false, false, false, false]);
});
