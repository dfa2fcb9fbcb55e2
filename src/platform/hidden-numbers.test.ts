import fc from "fast-check";
import { expect, it } from "vitest";
import { hideNumbers, revealNumbers } from "./hidden-numbers.ts";

it("hidden numbers can be read only with the secret that hid them", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (first, second) => {
      const hidden = hideNumbers("secret", first, second);
      const revealed = [["secret"], ["other", "secret"], ["other"]].map((all) => revealNumbers(all, hidden));
      expect([hidden.length, ...revealed]).toEqual([26, [first, second], [first, second], null]);
    }),
  );
});

it("numbers that the previous release hid, without a secret's name, are tried with every secret", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (first, second) => {
      const hidden = hideNumbers("secret", first, second).slice(-22);
      expect(revealNumbers(["new", "secret"], hidden)).toEqual([first, second]);
      expect(revealNumbers(["new"], hidden)).toBeNull();
    }),
  );
});

it("consecutive numbers are hidden as very different strings", () => {
  const [one, two] = [hideNumbers("secret", 0, 1), hideNumbers("secret", 0, 2)];
  expect([...one].filter((letter, index) => two[index] === letter).length).toBeLessThan(12);
});

it.each(["", "25", "x".repeat(26), "x".repeat(43)])("%j does not contain hidden numbers", (text) => {
  expect(revealNumbers(["secret"], text)).toBeNull();
});
