import { expect, it } from "vitest";
import { currencyDigits } from "./currencies.ts";

const codesOf = (digits: number) =>
  [...currencyDigits].flatMap(([code, each]) => (each === digits ? [code] : [])).sort();

it("lists the currencies that do not have two decimals (ISO 4217)", () => {
  expect(codesOf(0).join(" ")).toBe("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF");
  expect(codesOf(3).join(" ")).toBe("BHD IQD JOD KWD LYD OMR TND");
  expect(codesOf(4).join(" ")).toBe("CLF UYW");
});

it("has 166 currencies", () => {
  expect(currencyDigits.size).toBe(166);
});
