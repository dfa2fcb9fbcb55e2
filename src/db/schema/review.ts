/**
 * As drizzle sees them: what clients review, sign and decide. The migrations are the truth (constraints, indexes,
 * triggers); test/database/schema.test.ts holds these files against them.
 */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
