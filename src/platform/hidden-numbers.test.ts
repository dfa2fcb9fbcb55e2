import fc from "fast-check";
import { expect, it } from "vitest";
import { hideNumbers, revealNumbers } from "./hidden-numbers.ts";

it("numbers are recovered by their own secret, and by no other", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (first, second) => {
      const hidden = hideNumbers("secret", first, second);
      const told = [["secret"], ["other", "secret"], ["other"]].map((all) => revealNumbers(all, hidden));
      expect([hidden.length, ...told]).toEqual([26, [first, second], [first, second], null]);
    }),
  );
});

it("numbers that the release before hid, without the name of their secret, are read by any of the secrets", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (first, second) => {
      const hidden = hideNumbers("secret", first, second).slice(-22);
      expect(revealNumbers(["new", "secret"], hidden)).toEqual([first, second]);
      expect(revealNumbers(["new"], hidden)).toBeNull();
    }),
  );
});

it("numbers beside each other look nothing alike", () => {
  const [one, two] = [hideNumbers("secret", 0, 1), hideNumbers("secret", 0, 2)];
  expect([...one].filter((letter, index) => two[index] === letter).length).toBeLessThan(12);
});

it.each(["", "25", "x".repeat(26), "x".repeat(43)])("%j hides none", (text) => {
  expect(revealNumbers(["secret"], text)).toBeNull();
});
