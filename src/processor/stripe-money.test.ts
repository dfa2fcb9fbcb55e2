import fc from "fast-check";
import { expect, it } from "vitest";
import { currencyDigits } from "../contract/currencies.ts";
import { fromStripe } from "./stripe-money.ts";

it.each([
  ["two decimals", 1099, "usd", { minor: 1099, currency: "USD" }],
  ["two decimals for charges, unlike for payouts", 1045, "huf", { minor: 1045, currency: "HUF" }],
  ["two decimals for charges, unlike for payouts", 80045, "twd", { minor: 80045, currency: "TWD" }],
  ["no decimals", 500, "jpy", { minor: 500, currency: "JPY" }],
  ["no decimals at Stripe, two in ISO 4217", 500, "mga", { minor: 50_000, currency: "MGA" }],
  ["three decimals", 5120, "kwd", { minor: 5120, currency: "KWD" }],
  ["three decimals, accepted even if not a multiple of ten", 5124, "tnd", { minor: 5124, currency: "TND" }],
  ["two decimals that are always 00", 500, "isk", { minor: 5, currency: "ISK" }],
  ["two decimals that are always 00", 500, "ugx", { minor: 5, currency: "UGX" }],
  ["a fraction of a króna, which Stripe never sends", 501, "isk", { problem: "fraction_of_a_unit" }],
  ["a fraction of a shilling, which Stripe never sends", 599, "ugx", { problem: "fraction_of_a_unit" }],
  ["an unknown currency", 500, "btc", { problem: "unknown_currency" }],
  ["more than a safe integer", Number.MAX_SAFE_INTEGER, "mga", { problem: "fraction_of_a_unit" }],
])("converts Stripe amounts with %s: %d %s", (_, amount, currency, expected) => {
  expect(fromStripe(amount, currency)).toEqual(expected);
});

it("every currency converts to whole minor units of the same value, or reports a problem", () => {
  const stripeUnits = (code: string) =>
    "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".includes(code)
      ? 0
      : "BHD JOD KWD OMR TND".includes(code)
        ? 3
        : 2;
  fc.assert(
    fc.property(fc.constantFrom(...currencyDigits.keys()), fc.nat(), (code, amount) => {
      const money = fromStripe(amount, code.toLowerCase());
      if ("problem" in money) {
        expect(amount % 100).not.toBe(0);
        return;
      }
      expect(Number.isSafeInteger(money.minor)).toBe(true);
      const ours = BigInt(money.minor) * 10n ** BigInt(stripeUnits(code));
      expect(ours).toBe(BigInt(amount) * 10n ** BigInt(currencyDigits.get(code) ?? 0));
    }),
  );
});
