import { describe, expect, it } from "vitest";
import { Refusal } from "../../contract/refusal.ts";
import { priceInvoice } from "./price-invoice.ts";

const line = (quantity: number, unit_price: number, tax_rate = 0) => ({
  description: "Work",
  quantity,
  unit_price,
  tax_rate,
});

describe("priceInvoice", () => {
  it("rounds each line half away from zero", () => {
    expect(priceInvoice([line(1.5, 0.01), line(2.5, -0.01), line(1, 1)], "USD")).toMatchObject({
      lines: [{ amount_minor: 2 }, { amount_minor: -3 }, { amount_minor: 100 }],
      subtotal_minor: 99,
    });
  });

  it("adds the tax of each line", () => {
    expect(priceInvoice([line(10, 100, 19), line(1, 0.5, 8.1)], "EUR")).toMatchObject({
      subtotal_minor: 100_050,
      tax_total_minor: 19_004,
      total_minor: 119_054,
    });
  });

  it("uses the currency's decimals", () => {
    expect(priceInvoice([line(3, 333)], "JPY")).toMatchObject({ total_minor: 999 });
    expect(priceInvoice([line(0.3333, 1.001)], "KWD")).toMatchObject({ total_minor: 334 });
    const refused = priceInvoice([line(1, 1), line(1, 1.5)], "JPY");
    expect(refused instanceof Refusal && refused.text).toBe(
      "line_items.1.unit_price has more digits than JPY",
    );
  });

  it("limits intermediate sums, including negative ones", () => {
    const [less, more] = [line(990, -1e10), line(990, 1e10)];
    for (const lines of [
      [less, less, more, more],
      [more, more, less, less],
    ]) {
      const refused = priceInvoice(lines, "USD");
      expect(refused instanceof Refusal && refused.text).toBe(
        "line_items.1 is more than the maximum amount of an invoice",
      );
    }
  });

  it("accepts the maximum total, and rejects one cent more", () => {
    const [most, hundredth] = [[line(999, 1e10), line(1, 9_999_999_999.99), line(0, 0)], [line(1, 0.01)]];
    expect(priceInvoice(most, "USD")).toMatchObject({ total_minor: 999_999_999_999_999 });
    expect(priceInvoice([...most, ...hundredth], "USD")).toBeInstanceOf(Refusal);
  });

  it("limits the total including tax", () => {
    expect(priceInvoice([line(900, 1e10, 11)], "USD")).toMatchObject({ total_minor: 999_000_000_000_000 });
    expect(priceInvoice([line(900, 1e10, 12)], "USD")).toBeInstanceOf(Refusal);
  });

  it("rejects a negative total", () => {
    expect(priceInvoice([line(1, -1)], "USD")).toBeInstanceOf(Refusal);
  });
});
