import { type SQL, sql } from "drizzle-orm";
import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import {
  clientStatuses,
  invoiceStatuses,
  milestoneStatuses,
  paymentWays,
  projectStatuses,
} from "../../contract/closed-sets.ts";
import { limits } from "../../contract/limits.ts";
import { createdAt, flag, stamps } from "./columns.ts";
import { rules } from "./rules.ts";

/** Clients, projects, time and invoices (migrations/0003). */

export const clients = sqliteTable("clients", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  company_name: text(),
  client_name: text(),
  name: text().notNull().generatedAlwaysAs(sql`coalesce(nullif(trim(company_name), ''), client_name)`),
  email: text(),
  status: text({ enum: clientStatuses }).notNull().default("active"),
  is_sample: flag().notNull().default(false),
  external_id: text(),
  ...stamps,
  sort_name: text(),
});

/** Letters without case and accents, for `sort_name`. */
export const foldedLetters = sqliteTable("folded_letters", {
  letter: text().primaryKey(),
  folded: text().notNull(),
});

export const projects = sqliteTable("projects", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  client_id: text().notNull(),
  name: text().notNull(),
  description: text(),
  status: text({ enum: projectStatuses }).notNull().default("active"),
  currency: text().notNull(),
  included_revision_rounds: integer(),
  overridden_revision_rounds: integer().notNull().default(0),
  revision_rounds_used: integer().notNull().default(0),
  start_date: text(),
  end_date: text(),
  kickoff_released_at: text(),
  external_id: text(),
  ...stamps,
});

export const milestones = sqliteTable("milestones", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  project_id: text().notNull(),
  name: text().notNull(),
  position: integer().notNull(),
  status: text({ enum: milestoneStatuses }).notNull().default("pending"),
  due_date: text(),
  amount_minor: integer(),
  ...stamps,
});

export const revisionOverrides = sqliteTable("revision_overrides", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  project_id: text().notNull(),
  rounds: integer().notNull(),
  reason: text().notNull(),
  created_by: text().notNull(),
  ...createdAt,
});

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

export const timeEntries = sqliteTable(
  "time_entries",
  {
    id: text().notNull(),
    organization_id: text().notNull(),
    project_id: text().notNull(),
    client_id: text().notNull(),
    user_id: text().notNull(),
    description: text(),
    spent_date: text().notNull(),
    hours: real().notNull(),
    started_at: text(),
    ended_at: text(),
    billable: flag().notNull().default(true),
    hourly_rate_minor: integer(),
    currency: text().notNull(),
    invoice_id: text(),
    client_ref: text(),
    ...stamps,
  },
  (table) => [primaryKey({ columns: [table.organization_id, table.id] })],
);

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
  collected_via: text({ enum: paymentWays }).notNull(),
  ...createdAt,
  processor_payment_id: text(),
});

const one = { by: { record_count: 1 } };
/** Parts count one for every ten. */
const everyTenth = {
  ...one,
  when: ({ position }: { position: SQL }) =>
    sql`${position} % ${limits.partsOfRecord} = ${limits.partsOfRecord} - 1`,
};

export const workRules = [
  // A sort key that follows its name is no edit of its own.
  rules(clients, {
    counted: one,
    stamped: { when: ({ NEW, OLD }) => sql`${NEW.sort_name} IS ${OLD.sort_name}` },
  }),
  rules(projects, { counted: one, stamped: true }),
  rules(milestones, { counted: everyTenth, stamped: true }),
  rules(revisionOverrides, {
    counted: one,
    writtenOnce: true,
    kept: true,
  }),
  rules(invoices, { counted: one, stamped: true, notReplaced: true }),
  rules(timeEntries, { counted: one, stamped: true }),
  rules(invoiceLineItems, { counted: everyTenth }),
  // Money that came through the payment processor is never refused for room.
  rules(payments, {
    counted: { ...one, when: ({ processor_payment_id }) => sql`${processor_payment_id} IS NULL` },
    writtenOnce: true,
    kept: true,
  }),
];
