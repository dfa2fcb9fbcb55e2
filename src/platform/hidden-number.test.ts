import fc from "fast-check";
import { expect, it } from "vitest";
import { hideNumber, revealNumber } from "./hidden-number.ts";

it("a number is told again by its secret, and by no other", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (value) => {
      const hidden = hideNumber("secret", value);
      expect([hidden.length, revealNumber("secret", hidden), revealNumber("other", hidden)]).toEqual([
        22,
        value,
        null,
      ]);
    }),
  );
});

it("numbers beside each other look nothing alike", () => {
  const [one, two] = [hideNumber("secret", 1), hideNumber("secret", 2)];
  expect([...one].filter((letter, index) => two[index] === letter).length).toBeLessThan(8);
});

it.each(["", "25", "x".repeat(22), "x".repeat(43)])("%j hides none", (text) => {
  expect(revealNumber("secret", text)).toBeNull();
});
