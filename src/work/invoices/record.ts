import { Buffer } from "node:buffer";
import * as z from "zod";
import { invoiceStatuses, paymentMethods } from "../../contract/closed-sets.ts";
import {
  clientIdInput,
  currency,
  currencyInput,
  date,
  dateInput,
  defaultOf,
  id,
  idInput,
  line,
  money,
  moneyInput,
  openEnum,
  optionalText,
  text,
  timestamp,
} from "../../contract/fields.ts";
import { limits } from "../../contract/limits.ts";

const LineItem = z
  .object({
    id,
    position: z.int(),
    description: z.string(),
    quantity: z.number(),
    unit_price: money,
    tax_rate: z.number().meta({ description: "In percent" }),
    amount: money.meta({ description: "`quantity` x `unit_price`, rounded half away from zero" }),
    time_entry_id: id.nullable(),
  })
  .meta({ id: "LineItem" });

export const Invoice = z
  .object({
    id,
    number: z
      .string()
      .nullable()
      .meta({ description: "Assigned when the invoice is issued; null for a draft" }),
    client_id: id,
    project_id: id.nullable(),
    status: openEnum(invoiceStatuses),
    currency,
    issue_date: date.nullable(),
    due_date: date.nullable(),
    subtotal: money,
    tax_total: money,
    total: money,
    amount_paid: money,
    amount_due: money,
    notes: z.string().nullable(),
    external_id: z.string().nullable(),
    line_items: z.array(LineItem),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Invoice" });
export type Invoice = z.output<typeof Invoice>;

export const exampleInvoice: Invoice = {
  id: "9e2d4c1b-8a7f-4e6d-b5c4-a3b2c1d0e9f8",
  number: "INV-0042",
  client_id: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11",
  project_id: "7d0e5b1e-2f6c-4d63-8c0e-1b9a5d0c3f42",
  status: "partially_paid",
  currency: "EUR",
  issue_date: "2026-01-31",
  due_date: "2026-02-14",
  subtotal: 1000,
  tax_total: 190,
  total: 1190,
  amount_paid: 500,
  amount_due: 690,
  notes: "Thank you",
  external_id: null,
  line_items: [
    {
      id: "1d3f5a7c-9b0e-4c2d-8e4f-6a8b0c2d4e6f",
      position: 0,
      description: "Concept",
      quantity: 10,
      unit_price: 100,
      tax_rate: 19,
      amount: 1000,
      time_entry_id: null,
    },
  ],
  created_at: "2026-01-30T16:00:00.000Z",
  updated_at: "2026-01-31T09:30:00.000Z",
};

const hasFourDecimals = (quantity: number) => Math.round(quantity * 10_000) / 10_000 === quantity;

const fourDecimals = {
  error: (issue: { path?: PropertyKey[] }) =>
    `${(issue.path ?? []).join(".")} must have at most four decimal places`,
};

/** Returns a string's size in UTF-8 JSON, without its quotes. */
const bytesInJson = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

export const NewInvoice = z
  .strictObject({
    client_id: clientIdInput,
    project_id: idInput.optional(),
    currency: currencyInput
      .optional()
      .meta({ description: "An active ISO 4217 code. Default: the workspace's currency" }),
    due_date: dateInput.optional(),
    notes: optionalText(limits.descriptionCharacters),
    external_id: line(1, limits.externalIdCharacters).optional(),
    line_items: z
      .array(
        z.strictObject({
          description: text(1, limits.lineDescriptionCharacters),
          quantity: z
            .number()
            .gt(0)
            .max(1_000_000_000)
            .refine(hasFourDecimals, fourDecimals)
            .meta({ description: "Can have at most four decimal places" }),
          unit_price: moneyInput,
          tax_rate: z
            .number()
            .min(limits.taxRatePercent.min)
            .max(limits.taxRatePercent.max)
            .refine(hasFourDecimals, fourDecimals)
            .default(0)
            .meta(defaultOf(0, "In percent, with at most four decimal places")),
          time_entry_id: idInput.optional(),
        }),
      )
      .min(1)
      .max(limits.lineItemsOfInvoice),
  })
  .check(({ value: invoice, issues }) => {
    const texts = [invoice.notes ?? "", ...invoice.line_items.map(({ description }) => description)];
    const bytes = texts.reduce((sum, text) => sum + bytesInJson(text), 0);
    if (bytes <= limits.invoiceTextBytes) return;
    const message = `line_items and notes must have at most ${limits.invoiceTextBytes} bytes of text in total`;
    issues.push({ code: "custom", input: invoice, message });
  })
  .meta({
    id: "NewInvoice",
    description: `As UTF-8 JSON, notes and descriptions can have at most ${limits.invoiceTextBytes} bytes in total`,
  });
export type NewInvoice = z.output<typeof NewInvoice>;

export const collectedVia = z.enum(paymentMethods);

export const Payment = z.object({
  id,
  invoice_id: id,
  amount: money,
  currency,
  collected_via: collectedVia,
  created_at: timestamp,
  invoice: Invoice.meta({ description: "The invoice after the payment" }),
});

export type Payment = z.output<typeof Payment>;
