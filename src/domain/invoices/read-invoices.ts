import { getTableColumns, sql } from "drizzle-orm";
import type { Invoice } from "../../contract/resources/invoice.ts";
import type { Query, Row } from "../../db/query.ts";
import { invoices } from "../../db/schema/work.ts";
import { pageOf, recordOf } from "../../db/select.ts";
import { fromMinor } from "../money.ts";
import { recalled } from "../recall.ts";

const lineItemsOfInvoice = `(SELECT json_group_array(json_object('id', l.id, 'position', l.position,
  'description', l.description, 'quantity', l.quantity, 'unit_price_minor', l.unit_price_minor, 'tax_rate', l.tax_rate,
  'amount_minor', l.amount_minor, 'time_entry_id', l.time_entry_id) ORDER BY l.position)
  FROM invoice_line_items l WHERE l.invoice_id = invoices.id)`;

const {
  organization_id: _,
  request_fingerprint: __,
  created_by: ___,
  ...columns
} = getTableColumns(invoices);
const shown = { ...columns, line_items: sql.raw(lineItemsOfInvoice).as("line_items") };

const toInvoice = (row: Row): Invoice => ({
  ...(row as Invoice),
  subtotal: fromMinor(row.subtotal_minor, row.currency),
  tax_total: fromMinor(row.tax_total_minor, row.currency),
  total: fromMinor(row.total_minor, row.currency),
  amount_paid: fromMinor(row.amount_paid_minor, row.currency),
  amount_due: fromMinor(row.amount_due_minor, row.currency),
  line_items: JSON.parse(row.line_items).map((line: Row) => ({
    ...line,
    unit_price: fromMinor(line.unit_price_minor, row.currency),
    amount: fromMinor(line.amount_minor, row.currency),
  })),
});

export const pageOfInvoices = pageOf(invoices, shown, toInvoice);
export const findInvoice = recordOf(invoices, shown, toInvoice);

const invoiceSql = `SELECT *, ${lineItemsOfInvoice} AS line_items FROM invoices WHERE id = ? AND organization_id = ?`;

/** One invoice with its line items, null if the organization has none with this id. */
export const readInvoice = (organizationId: string, id: string): Query<Invoice | null> => ({
  sql: invoiceSql,
  params: [id, organizationId],
  read: ([row]) => (row ? toInvoice(row) : null),
});

export const recallInvoice = (organizationId: string, id: string) =>
  recalled(invoiceSql, [id, organizationId], toInvoice);
