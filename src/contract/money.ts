import { currencyDigits } from "./currencies.ts";

/**
 * Converts to integer minor units. Returns null if the amount has too many digits for its currency or a safe integer.
 */
export function toMinor(amount: number, currency: string): number | null {
  const digits = digitsOf(currency);
  const minor = Math.round(amount * 10 ** digits);
  return Number.isSafeInteger(minor) && fromMinor(minor, currency) === amount ? minor : null;
}

/** Builds the error message for an amount that cannot be converted. */
export function wrongAmount(field: string, amount: number, currency: string): string {
  const isTooLarge = !Number.isSafeInteger(Math.round(amount * 10 ** digitsOf(currency)));
  return `${field} ${isTooLarge ? "is too large for" : "has more digits than"} ${currency}`;
}

export const fromMinor = (minor: number, currency: string): number => minor / 10 ** digitsOf(currency);

/** Computes numerator / denominator, rounded half away from zero. Exact, because both are integers. */
export function divideRounded(numerator: bigint, denominator: bigint): number {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (magnitude * 2n + denominator) / (denominator * 2n);
  return Number(numerator < 0n ? -rounded : rounded);
}

function digitsOf(currency: string): number {
  const digits = currencyDigits.get(currency);
  if (digits === undefined) throw new Error(`unknown currency ${currency}`);
  return digits;
}
