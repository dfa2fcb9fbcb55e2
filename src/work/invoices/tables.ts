import { sql } from "drizzle-orm";
import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { invoiceStatuses, paymentMethods, reversalKinds } from "../../contract/closed-sets.ts";
import { createdAt, randomId, stamps } from "../../db/columns.ts";
import { oneRecord, oneRecordPerTenParts, rules } from "../../db/rules.ts";

export const invoices = sqliteTable("invoices", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  number: text(),
  client_id: text().notNull(),
  project_id: text(),
  status: text({ enum: invoiceStatuses }).notNull().default("draft"),
  currency: text().notNull(),
  issue_date: text(),
  due_date: text(),
  subtotal_minor: integer().notNull(),
  tax_total_minor: integer().notNull(),
  total_minor: integer().notNull(),
  amount_paid_minor: integer().notNull().default(0),
  notes: text(),
  external_id: text(),
  created_by: text().notNull(),
  ...stamps,
  amount_reversed_minor: integer().notNull().default(0),
  amount_due_minor: integer()
    .notNull()
    .generatedAlwaysAs(sql`iif(status = 'void', 0, max(total_minor - amount_paid_minor, 0))`),
});

export const invoiceLineItems = sqliteTable("invoice_line_items", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  invoice_id: text().notNull(),
  position: integer().notNull(),
  description: text().notNull(),
  quantity: real().notNull(),
  unit_price_minor: integer().notNull(),
  tax_rate: real().notNull().default(0),
  amount_minor: integer().notNull(),
  time_entry_id: text(),
  ...createdAt,
});

export const payments = sqliteTable("payments", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  invoice_id: text().notNull(),
  amount_minor: integer().notNull(),
  collected_via: text({ enum: paymentMethods }).notNull(),
  ...createdAt,
  processor_payment_id: text(),
});

export const paymentReversals = sqliteTable("payment_reversals", {
  id: text().primaryKey().default(randomId),
  organization_id: text().notNull(),
  invoice_id: text().notNull(),
  kind: text({ enum: reversalKinds }).notNull(),
  amount_minor: integer().notNull(),
  processor_payment_id: text(),
  processor_reversal_id: text(),
  ...createdAt,
});

export const invoicesRules = [
  rules(invoices, { counted: oneRecord, stamped: true, notReplaced: true }),
  rules(invoiceLineItems, { counted: oneRecordPerTenParts }),
  // Payments from the payment processor do not count against the plan's record limit, so they are never refused.
  rules(payments, {
    counted: { ...oneRecord, when: ({ processor_payment_id }) => sql`${processor_payment_id} IS NULL` },
    writtenOnce: true,
    kept: true,
    unique: ["processor_payment_id"],
  }),
  rules(paymentReversals, { writtenOnce: true, kept: true, unique: ["processor_reversal_id"] }),
];
