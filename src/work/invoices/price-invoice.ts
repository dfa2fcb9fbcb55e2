import { divideRounded, toMinor, wrongAmount } from "../../contract/money.ts";
import { invalid, type Refusal } from "../../contract/refusal.ts";
import type { NewInvoice } from "./record.ts";

interface PricedLine {
  position: number;
  description: string;
  quantity: number;
  unit_price_minor: number;
  tax_rate: number;
  amount_minor: number;
  time_entry_id: string | null;
}

interface PricedInvoice {
  lines: PricedLine[];
  subtotal_minor: number;
  tax_total_minor: number;
  total_minor: number;
}

/** Quantities and tax rates have at most four decimals, so this factor makes them integers. */
const decimals = 10_000;
const scaled = (value: number) => BigInt(Math.round(value * decimals));

/**
 * Computes an invoice's amounts in integer minor units. A line's amount is its quantity times its unit price, and its
 * tax is a percentage of that amount. Both are rounded half away from zero. Returns a 400 if a price has more decimals
 * than the currency, the sum exceeds the maximum, or the total is negative.
 */
export function priceInvoice(items: NewInvoice["line_items"], currency: string): PricedInvoice | Refusal {
  const lines: PricedLine[] = [];
  let subtotal_minor = 0;
  let tax_total_minor = 0;
  for (const [position, item] of items.entries()) {
    const unit_price_minor = toMinor(item.unit_price, currency);
    if (unit_price_minor === null) {
      return invalid(wrongAmount(`line_items.${position}.unit_price`, item.unit_price, currency));
    }
    const { description, quantity, tax_rate } = item;
    const amount_minor = divideRounded(BigInt(unit_price_minor) * scaled(quantity), BigInt(decimals));
    const tax_minor = divideRounded(BigInt(amount_minor) * scaled(tax_rate), BigInt(decimals * 100));
    subtotal_minor += amount_minor;
    tax_total_minor += tax_minor;
    const sums = [amount_minor, subtotal_minor, tax_total_minor, subtotal_minor + tax_total_minor];
    if (sums.some((sum) => Math.abs(sum) > largestMinor)) {
      return invalid(`line_items.${position} is more than the maximum amount of an invoice`);
    }
    const time_entry_id = item.time_entry_id ?? null;
    lines.push({ position, description, quantity, unit_price_minor, tax_rate, amount_minor, time_entry_id });
  }
  const total_minor = subtotal_minor + tax_total_minor;
  if (total_minor < 0) return invalid("line_items must not add up to less than 0");
  return { lines, subtotal_minor, tax_total_minor, total_minor };
}

/** Fifteen digits. SQLite writes up to this many into event payloads without rounding. */
const largestMinor = 999_999_999_999_999;
