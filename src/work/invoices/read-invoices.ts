import { eq, sql } from "drizzle-orm";
import { fromMinor } from "../../contract/money.ts";
import { type Children, childrenJson } from "../../core/pages.ts";
import { resource } from "../../core/resource.ts";
import { Invoice } from "./record.ts";
import { invoiceLineItems as lines, invoices as table } from "./tables.ts";

type LineItem = Invoice["line_items"][number];

/** Reads the line items in the same statement as their invoice. Raw SQL, because drizzle has no JSON aggregates. */
const lineItemsOfInvoice: Children = {
  aggregate: sql`json_group_array(json_object('id', ${lines.id},
    'position', ${lines.position}, 'description', ${lines.description}, 'quantity', ${lines.quantity},
    'unit_price', ${lines.unit_price_minor}, 'tax_rate', ${lines.tax_rate}, 'amount', ${lines.amount_minor},
    'time_entry_id', ${lines.time_entry_id}) ORDER BY ${lines.position})`,
  from: sql`${lines} WHERE ${eq(lines.invoice_id, table.id)}`,
};

/** Parses line items and converts their amounts from minor units. */
const lineItemsIn = (json: string, currency: string): LineItem[] =>
  JSON.parse(json).map((line: LineItem) => ({
    ...line,
    unit_price: fromMinor(line.unit_price, currency),
    amount: fromMinor(line.amount, currency),
  }));

export const invoiceResource = resource(table, Invoice, {
  scope: "invoice:read",
  more: { line_items: childrenJson(lineItemsOfInvoice).as("line_items") },
  children: { line_items: lineItemsOfInvoice },
  complete: (invoice) => ({ ...invoice, line_items: lineItemsIn(invoice.line_items, invoice.currency) }),
});
