import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { divideRounded, fromMinor, toMinor, wrongAmount } from "./money.ts";

describe("an amount of money", () => {
  it.each([
    [12.5, "USD", 1250],
    [0.1, "USD", 10],
    [1.005, "USD", null],
    [100, "JPY", 100],
    [100.5, "JPY", null],
    [1.234, "KWD", 1234],
    [1.2345, "KWD", null],
    [1e-7, "USD", null],
    [-3.1, "EUR", -310],
  ])("%d %s is %j minor units", (amount, currency, minor) => {
    expect(toMinor(amount, currency)).toBe(minor);
  });

  it.each([
    [1.005, "USD", "amount has more digits than USD"],
    [0.5, "JPY", "amount has more digits than JPY"],
    [1e12, "CLF", "amount is too large for CLF"],
    [-1e12, "CLF", "amount is too large for CLF"],
  ])("%d %s is rejected: %s", (amount, currency, text) => {
    expect(toMinor(amount, currency)).toBeNull();
    expect(wrongAmount("amount", amount, currency)).toBe(text);
  });

  it("survives the conversion to minor units and back", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e14, max: 1e14 }),
        fc.constantFrom("USD", "JPY", "KWD", "CLF"),
        (minor, currency) => {
          expect(toMinor(fromMinor(minor, currency), currency)).toBe(minor);
        },
      ),
    );
  });

  it.each([
    [5n, 2n, 3],
    [-5n, 2n, -3],
    [4n, 3n, 1],
    [-4n, 3n, -1],
    [0n, 7n, 0],
  ])("%d / %d is %d, rounding half away from zero", (numerator, denominator, rounded) => {
    expect(divideRounded(numerator, denominator)).toBe(rounded);
  });
});
