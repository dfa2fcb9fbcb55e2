/**
 * As drizzle sees them: the workspace: plans, organizations, members, tokens, the audit log. The migrations are the truth (constraints, indexes,
 * triggers); test/database/schema.test.ts holds these files against them.
 */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const currencies = sqliteTable("currencies", {
  code: text().primaryKey(),
  minor_units_per_unit: integer().notNull(),
});

export const plans = sqliteTable("plans", {
  name: text().primaryKey(),
  api_access: integer().notNull(),
  requests_per_minute: integer().notNull(),
  deliverable_cap: integer(),
});

export const organizations = sqliteTable("organizations", {
  id: text().primaryKey(),
  slug: text().notNull(),
  name: text().notNull(),
  plan: text().notNull(),
  currency: text().notNull(),
  features: text().notNull(),
  on_send_status_label: text(),
  deliverable_count: integer().notNull(),
  next_invoice_number: integer().notNull(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
});

export const members = sqliteTable("members", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  email: text().notNull(),
  name: text(),
  role: text().notNull(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
});

export const apiTokens = sqliteTable("api_tokens", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  name: text().notNull(),
  token_hash: text().notNull(),
  token_prefix: text().notNull(),
  scopes: text().notNull(),
  created_by: text().notNull(),
  created_at: text().notNull(),
  revoked_at: text(),
});

export const auditLog = sqliteTable("audit_log", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  actor: text().notNull(),
  action: text().notNull(),
  subject_id: text(),
  details: text().notNull(),
  created_at: text().notNull(),
});
