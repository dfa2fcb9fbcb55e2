import fc from "fast-check";
import { expect, it } from "vitest";
import { hideNumbers, revealNumbers } from "./hidden-numbers.ts";

it("numbers are told again by their secret, and by no other", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (first, second) => {
      const hidden = hideNumbers("secret", first, second);
      expect([hidden.length, revealNumbers("secret", hidden), revealNumbers("other", hidden)]).toEqual([
        22,
        [first, second],
        null,
      ]);
    }),
  );
});

it("numbers beside each other look nothing alike", () => {
  const [one, two] = [hideNumbers("secret", 0, 1), hideNumbers("secret", 0, 2)];
  expect([...one].filter((letter, index) => two[index] === letter).length).toBeLessThan(8);
});

it.each(["", "25", "x".repeat(22), "x".repeat(43)])("%j hides none", (text) => {
  expect(revealNumbers("secret", text)).toBeNull();
});
