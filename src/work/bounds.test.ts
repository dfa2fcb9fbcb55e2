import { expect, it } from "vitest";
import { limits } from "../contract/limits.ts";
import { NewEvidence } from "../review/evidence/record.ts";
import { NewInvoice } from "./invoices/record.ts";

/** Limits on whole bodies. Limits on single fields are in the OpenAPI document. */

const client_id = "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11";

it("metadata is limited to exactly 16 KB of JSON", () => {
  const taken = (bytes: number) => {
    const metadata = { a: `é${"x".repeat(bytes - '{"a":"é"}'.length - 1)}` };
    return NewEvidence.safeParse({ client_id, content: "x", metadata }).success;
  };
  expect([taken(16_384), taken(16_385)]).toEqual([true, false]);
});

it("metadata is limited to exactly 32 levels of nesting", () => {
  const taken = (levels: number) => {
    const metadata = JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
    return NewEvidence.safeParse({ client_id, content: "x", metadata }).success;
  };
  expect([taken(32), taken(33)]).toEqual([true, false]);
});

it.each([
  ["x", 1],
  ["漢", 3],
  ['"', 2],
])(
  "an invoice's text is limited to exactly 65,536 bytes of JSON in total, where %j counts as %i [N4]",
  (letter, bytes) => {
    const line = (description: string) => ({ description, quantity: 1, unit_price: 1 });
    const taken = (more: number) => {
      // 64 lines and the notes have 1,000 bytes each; one more line has the remaining 536.
      const thousand = `x${letter.repeat(Math.floor(998 / bytes))}${"x".repeat(998 % bytes)}x`;
      const line_items = [
        ...Array(63).fill(line(thousand)),
        line("x".repeat(1000)),
        line("x".repeat(536 + more)),
      ];
      return NewInvoice.safeParse({ client_id, notes: thousand, line_items }).success;
    };
    expect([taken(0), taken(1), limits.invoiceTextBytes]).toEqual([true, false, 65_536]);
  },
);
