/**
 * The tables of migrations/ as drizzle sees them: the types of rows and the words of queries. The migrations are the
 * truth (constraints, indexes, triggers); test/database/schema.test.ts holds this file against them.
 */
import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

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

export const deliverables = sqliteTable("deliverables", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  client_id: text().notNull(),
  project_id: text(),
  title: text().notNull(),
  embed_url: text(),
  asset_path: text(),
  share_url: text().notNull(),
  status_label: text(),
  current_state: text().notNull(),
  version_number: integer().notNull(),
  sent_version_number: integer(),
  change_requested_version_number: integer(),
  review_state: text().notNull(),
  is_sample: integer().notNull(),
  reminder_due_at: text(),
  sent_at: text(),
  signed_off_at: text(),
  sealed: integer().notNull(),
  created_by: text().notNull(),
  request_fingerprint: text(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
});

export const deliverableVersions = sqliteTable("deliverable_versions", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  deliverable_id: text().notNull(),
  version_number: integer().notNull(),
  title: text().notNull(),
  embed_url: text(),
  asset_path: text(),
  asset_content_type: text(),
  asset_sha256: text(),
  note: text(),
  previous_hash: text(),
  hash: text().notNull(),
  created_by: text().notNull(),
  request_fingerprint: text(),
  created_at: text().notNull(),
});

export const deliverableSends = sqliteTable("deliverable_sends", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  deliverable_id: text().notNull(),
  version_number: integer().notNull(),
  message: text(),
  status_warning: text(),
  sent_by: text(),
  request_fingerprint: text(),
  sent_at: text().notNull(),
});

export const feedback = sqliteTable("feedback", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  deliverable_id: text().notNull(),
  version_number: integer().notNull(),
  kind: text().notNull(),
  body: text().notNull(),
  author_name: text().notNull(),
  created_at: text().notNull(),
});

export const signOffs = sqliteTable("sign_offs", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  deliverable_id: text().notNull(),
  version_number: integer().notNull(),
  signer_name: text().notNull(),
  created_at: text().notNull(),
});

export const changeOrders = sqliteTable("change_orders", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  project_id: text().notNull(),
  title: text().notNull(),
  amount_minor: integer().notNull(),
  currency: text().notNull(),
  status: text().notNull(),
  created_by: text().notNull(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
});

export const changeDecisions = sqliteTable("change_decisions", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  project_id: text().notNull(),
  title: text().notNull(),
  kind: text().notNull(),
  status: text().notNull(),
  created_by: text().notNull(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
});

export const deposits = sqliteTable("deposits", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  project_id: text().notNull(),
  amount_minor: integer().notNull(),
  currency: text().notNull(),
  status: text().notNull(),
  collected_via: text(),
  cleared_at: text(),
  created_by: text().notNull(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
});

export const scopeRequestEvidence = sqliteTable("scope_request_evidence", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  client_id: text().notNull(),
  project_id: text(),
  deliverable_id: text(),
  content: text().notNull(),
  author_kind: text().notNull(),
  author_name: text(),
  author_address: text(),
  external_id: text().notNull(),
  metadata: text().notNull(),
  created_by: text().notNull(),
  content_fingerprint: text().notNull(),
  created_at: text().notNull(),
});

export const eventTypes = sqliteTable("event_types", {
  name: text().primaryKey(),
  category: text().notNull(),
});

export const webhookEndpoints = sqliteTable("webhook_endpoints", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  url: text().notNull(),
  description: text(),
  events: text(),
  enabled: integer().notNull(),
  disabled_reason: text(),
  owner_notified_at: text(),
  consecutive_dead: integer().notNull(),
  consecutive_failures: integer().notNull(),
  secret_encrypted: text().notNull(),
  previous_secret_encrypted: text(),
  previous_secret_expires_at: text(),
  created_by: text().notNull(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
  deleted_at: text(),
});

export const events = sqliteTable("events", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  event: text().notNull(),
  subject_id: text().notNull(),
  payload: text().notNull(),
  created_at: text().notNull(),
});

export const webhookDeliveries = sqliteTable("webhook_deliveries", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  endpoint_id: text().notNull(),
  event_id: text().notNull(),
  event: text().notNull(),
  status: text().notNull(),
  attempts: integer().notNull(),
  next_attempt_at: text(),
  settled_at: text(),
  created_at: text().notNull(),
});

export const webhookAttempts = sqliteTable("webhook_attempts", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  delivery_id: text().notNull(),
  attempt_number: integer().notNull(),
  attempted_at: text().notNull(),
  response_status: integer(),
  latency_ms: integer().notNull(),
  error_class: text(),
  response_body: text(),
  next_attempt_at: text(),
});
