/**
 * As drizzle sees them: clients, projects, time and invoices. The migrations are the truth (constraints, indexes,
 * triggers); test/database/schema.test.ts holds these files against them.
 */
import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const clients = sqliteTable("clients", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  company_name: text(),
  client_name: text(),
  name: text().notNull(),
  email: text(),
  status: text().notNull(),
  is_sample: integer().notNull(),
  external_id: text(),
  request_fingerprint: text(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
});

export const projects = sqliteTable("projects", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  client_id: text().notNull(),
  name: text().notNull(),
  description: text(),
  status: text().notNull(),
  currency: text().notNull(),
  included_revision_rounds: integer(),
  overridden_revision_rounds: integer().notNull(),
  revision_rounds_used: integer().notNull(),
  start_date: text(),
  end_date: text(),
  kickoff_released_at: text(),
  external_id: text(),
  request_fingerprint: text(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
});

export const milestones = sqliteTable("milestones", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  project_id: text().notNull(),
  name: text().notNull(),
  position: integer().notNull(),
  status: text().notNull(),
  due_date: text(),
  amount_minor: integer(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
});

export const revisionOverrides = sqliteTable("revision_overrides", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  project_id: text().notNull(),
  rounds: integer().notNull(),
  reason: text().notNull(),
  created_by: text().notNull(),
  created_at: text().notNull(),
});

export const invoices = sqliteTable("invoices", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  number: text(),
  client_id: text().notNull(),
  project_id: text(),
  status: text().notNull(),
  currency: text().notNull(),
  issue_date: text(),
  due_date: text(),
  subtotal_minor: integer().notNull(),
  tax_total_minor: integer().notNull(),
  total_minor: integer().notNull(),
  amount_paid_minor: integer().notNull(),
  amount_due_minor: integer().notNull(),
  notes: text(),
  external_id: text(),
  created_by: text().notNull(),
  request_fingerprint: text(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
});

export const timeEntries = sqliteTable("time_entries", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  project_id: text().notNull(),
  client_id: text().notNull(),
  user_id: text().notNull(),
  description: text(),
  spent_date: text().notNull(),
  hours: real().notNull(),
  started_at: text(),
  ended_at: text(),
  billable: integer().notNull(),
  hourly_rate_minor: integer(),
  currency: text().notNull(),
  invoice_id: text(),
  client_ref: text(),
  request_fingerprint: text(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
});

export const invoiceLineItems = sqliteTable("invoice_line_items", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  invoice_id: text().notNull(),
  position: integer().notNull(),
  description: text().notNull(),
  quantity: real().notNull(),
  unit_price_minor: integer().notNull(),
  tax_rate: real().notNull(),
  amount_minor: integer().notNull(),
  time_entry_id: text(),
  created_at: text().notNull(),
});

export const payments = sqliteTable("payments", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  invoice_id: text().notNull(),
  amount_minor: integer().notNull(),
  collected_via: text().notNull(),
  created_at: text().notNull(),
});
