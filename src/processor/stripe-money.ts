import { currencyDigits } from "../contract/currencies.ts";

/**
 * Converts Stripe's amounts, which do not always use ISO 4217 minor units (docs.stripe.com/currencies), to the minor
 * units that the database stores, using only integers.
 */

/** Stripe's zero-decimal currencies. MGA has two digits in ISO 4217; UGX is below. */
const zeroDecimal = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));

/** Stripe rounds these to multiples of ten of the smallest unit; reported amounts are accepted as they are. */
const threeDecimal = new Set("BHD JOD KWD OMR TND".split(" "));

/**
 * Returns how many decimals Stripe uses. All other currencies have two, including ISK and UGX, where they are always
 * 00.
 */
const stripeDigits = (currency: string): number =>
  zeroDecimal.has(currency) ? 0 : threeDecimal.has(currency) ? 3 : 2;

type StripeMoney = { minor: number; currency: string } | { problem: MoneyProblem };
type MoneyProblem = "unknown_currency" | "fraction_of_a_unit";

/** Converts an amount from Stripe to ISO 4217 minor units. */
export function fromStripe(amount: number, stripeCurrency: string): StripeMoney {
  const currency = stripeCurrency.toUpperCase();
  const digits = currencyDigits.get(currency);
  if (digits === undefined) return { problem: "unknown_currency" };
  const numerator = BigInt(amount) * 10n ** BigInt(digits);
  const denominator = 10n ** BigInt(stripeDigits(currency));
  if (numerator % denominator !== 0n) return { problem: "fraction_of_a_unit" };
  const minor = Number(numerator / denominator);
  return Number.isSafeInteger(minor) ? { minor, currency } : { problem: "fraction_of_a_unit" };
}
