import * as z from "zod";
import { invoiceStatuses } from "../closed-sets.ts";
import {
  currency,
  currencyInput,
  date,
  dateInput,
  id,
  idInput,
  money,
  moneyInput,
  text,
  timestamp,
} from "../fields.ts";
import { limits } from "../limits.ts";

export const LineItem = z
  .object({
    id,
    position: z.int(),
    description: z.string(),
    quantity: z.number(),
    unit_price: money,
    tax_rate: z.number().meta({ description: "Percent" }),
    amount: money.meta({ description: "quantity x unit_price, rounded half away from zero" }),
    time_entry_id: id.nullable(),
  })
  .meta({ id: "LineItem" });

export const Invoice = z
  .object({
    id,
    number: z.string().nullable().meta({ description: "null on a draft; assigned when it opens" }),
    client_id: id,
    project_id: id.nullable(),
    status: z.enum(invoiceStatuses),
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

const hasFourDecimals = (quantity: number) => Math.round(quantity * 10_000) / 10_000 === quantity;

const fourDecimals = {
  error: (issue: { path?: PropertyKey[] }) =>
    `${(issue.path ?? []).join(".")} must have at most four decimals`,
};

export const NewInvoice = z
  .strictObject({
    client_id: idInput,
    project_id: idInput.optional(),
    currency: currencyInput.optional().meta({ description: "Default: the organization's" }),
    due_date: dateInput.optional(),
    notes: text(0, 5000).optional(),
    external_id: text(1, 200).optional(),
    line_items: z
      .array(
        z.strictObject({
          description: text(1, 1000),
          quantity: z.number().gt(0).max(1_000_000_000).refine(hasFourDecimals, fourDecimals),
          unit_price: moneyInput,
          tax_rate: z
            .number()
            .min(limits.taxRatePercent.min)
            .max(limits.taxRatePercent.max)
            .refine(hasFourDecimals, fourDecimals)
            .default(0),
          time_entry_id: idInput.optional(),
        }),
      )
      .min(1)
      .max(200),
  })
  .check(({ value: invoice, issues }) => {
    const texts = [invoice.notes ?? "", ...invoice.line_items.map(({ description }) => description)];
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    if (characters <= limits.invoiceTextCharacters) return;
    const message = `line_items and notes must have at most ${limits.invoiceTextCharacters} characters in all`;
    issues.push({ code: "custom", input: invoice, message });
  })
  .meta({
    id: "NewInvoice",
    description: `notes and descriptions: at most ${limits.invoiceTextCharacters} characters in all`,
  });
export type NewInvoice = z.output<typeof NewInvoice>;
