import { type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import {
  attributions,
  authorKinds,
  changeDecisionKinds,
  changeDecisionStatuses,
  changeOrderStatuses,
  currentStates,
  depositStatuses,
  feedbackKinds,
  mailedAttributions,
  noticeRecipients,
  paymentWays,
  reviewStates,
  signOffAttributions,
} from "../../contract/closed-sets.ts";
import { limits } from "../../contract/limits.ts";
import { createdAt, flag, now, randomId, stamps } from "./columns.ts";
import { rules } from "./rules.ts";

/** What clients review, sign and decide (migrations/0004). */

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
  current_state: text({ enum: currentStates }).notNull().default("open"),
  version_number: integer().notNull().default(1),
  sent_version_number: integer(),
  change_requested_version_number: integer(),
  review_state: text({ enum: reviewStates })
    .notNull()
    .generatedAlwaysAs(
      sql`iif(current_state = 'signed_off', 'approved',
        iif(change_requested_version_number IS version_number, 'changes_requested',
          iif(sent_version_number IS version_number, 'in_review', 'draft')))`,
    ),
  is_sample: flag().notNull().default(false),
  reminder_due_at: text(),
  sent_at: text(),
  signed_off_at: text(),
  is_final: flag().notNull().default(false),
  created_by: text().notNull(),
  ...stamps,
  change_request_count: integer().notNull().default(0),
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
  created_at: text().notNull(),
});

export const deliverableSends = sqliteTable("deliverable_sends", {
  id: text().primaryKey().default(randomId),
  organization_id: text().notNull(),
  deliverable_id: text().notNull(),
  version_number: integer().notNull(),
  message: text(),
  status_warning: text(),
  sent_by: text(),
  sent_at: text().notNull().default(now),
});

export const feedback = sqliteTable("feedback", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  deliverable_id: text().notNull(),
  version_number: integer().notNull(),
  kind: text({ enum: feedbackKinds }).notNull(),
  body: text().notNull(),
  author_name: text().notNull(),
  ...createdAt,
  attribution: text({ enum: attributions }).notNull().default("recorded_by_admin"),
});

export const signOffs = sqliteTable("sign_offs", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  deliverable_id: text().notNull(),
  version_number: integer().notNull(),
  signer_name: text().notNull(),
  ...createdAt,
  attribution: text({ enum: signOffAttributions }).notNull().default("recorded_by_admin"),
  version_hash: text(),
  workspace: text(),
  consent: text(),
  consent_version: integer(),
  ip_address: text(),
  user_agent: text(),
  erased_at: text(),
});

/** Keys by which a client is known again: the key of a mailed link, or the key that a code was exchanged for. */
export const reviewKeys = sqliteTable("review_keys", {
  key_hash: text().primaryKey(),
  organization_id: text().notNull(),
  deliverable_id: text().notNull(),
  email: text().notNull(),
  attribution: text({ enum: mailedAttributions }).notNull(),
  ...createdAt,
  expires_at: text().notNull(),
});

export const reviewCodes = sqliteTable("review_codes", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  deliverable_id: text().notNull(),
  email: text().notNull(),
  code_hash: text().notNull(),
  tries: integer().notNull().default(0),
  ...createdAt,
  expires_at: text().notNull(),
  used_at: text(),
});

/** Mails about what happened in a review. Triggers write each with the row that it is about. */
export const reviewNotices = sqliteTable("review_notices", {
  id: text().primaryKey().default(randomId),
  organization_id: text().notNull(),
  deliverable_id: text().notNull(),
  feedback_id: text(),
  sign_off_id: text(),
  recipient: text({ enum: noticeRecipients }).notNull(),
  attempts: integer().notNull().default(0),
  due_at: text().default(now),
  leased_until: text(),
  sent_at: text(),
  ...createdAt,
});

export const changeOrders = sqliteTable("change_orders", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  project_id: text().notNull(),
  title: text().notNull(),
  amount_minor: integer().notNull(),
  currency: text().notNull(),
  status: text({ enum: changeOrderStatuses }).notNull().default("draft"),
  created_by: text().notNull(),
  ...stamps,
});

export const changeDecisions = sqliteTable("change_decisions", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  project_id: text().notNull(),
  title: text().notNull(),
  kind: text({ enum: changeDecisionKinds }).notNull(),
  status: text({ enum: changeDecisionStatuses }).notNull().default("draft"),
  created_by: text().notNull(),
  ...stamps,
});

export const deposits = sqliteTable("deposits", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  project_id: text().notNull(),
  amount_minor: integer().notNull(),
  currency: text().notNull(),
  status: text({ enum: depositStatuses }).notNull().default("pending"),
  collected_via: text({ enum: paymentWays }),
  cleared_at: text(),
  created_by: text().notNull(),
  ...stamps,
  processor_payment_id: text(),
});

export const scopeRequestEvidence = sqliteTable("scope_request_evidence", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  client_id: text().notNull(),
  project_id: text(),
  deliverable_id: text(),
  content: text().notNull(),
  author_kind: text({ enum: authorKinds }).notNull().default("client"),
  author_name: text(),
  author_address: text(),
  external_id: text().notNull(),
  metadata: text({ mode: "json" }).$type<Record<string, unknown>>().notNull().default({}),
  created_by: text().notNull(),
  content_fingerprint: text().notNull(),
  ...createdAt,
});

const one = { by: { record_count: 1 } };

export const reviewRules = [
  // A signed-off deliverable was stamped by its sign-off, and is final. It counts with its first version.
  rules(deliverables, {
    counted: { by: { deliverable_count: 1, record_count: 1 } },
    stamped: { when: ({ NEW }) => sql`${NEW.current_state} = 'open'` },
  }),
  rules(deliverableVersions, {
    counted: { by: { record_count: 1 }, when: ({ version_number }) => sql`${version_number} > 1` },
    writtenOnce: true,
  }),
  // What clients say is bounded by review and day, and never by the plan.
  rules(feedback, {
    counted: { ...one, when: ({ attribution }) => sql`${attribution} = 'recorded_by_admin'` },
    writtenOnce: true,
    kept: true,
  }),
  // The trigger that completes a sign-off writes its hash; from then on nothing of it changes.
  rules(signOffs, {
    writtenOnce: { from: ({ version_hash }) => sql`${version_hash} IS NOT NULL` },
    kept: true,
  }),
  rules(changeOrders, { counted: one, stamped: true, notReplaced: true }),
  rules(changeDecisions, { counted: one, stamped: true, notReplaced: true }),
  rules(deposits, { counted: one, stamped: true, notReplaced: true }),
  rules(scopeRequestEvidence, { counted: { by: { record_count: (row) => sql`1 + ${moreRecordsOf(row)}` } } }),
];

/** Evidence counts one record more for every so many bytes. */
export const moreRecordsOf = ({ content, metadata }: { content: SQL; metadata: SQL }): SQL =>
  sql`(octet_length(${content}) + octet_length(${metadata})) / ${limits.recordBytes}`;
