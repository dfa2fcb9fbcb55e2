import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { currentStates, reviewStates } from "../../contract/closed-sets.ts";
import type { DeliveryProblem } from "../../contract/delivery-problem.ts";
import { flag, now, randomId, stamps } from "../../db/columns.ts";
import { rules } from "../../db/rules.ts";

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
  /** Failed attempts to send the pending reminder. */
  reminder_attempts: integer().notNull().default(0),
  /** How the e-mail for the newest send or its reminder bounced. */
  delivery_problem: text({ mode: "json" }).$type<DeliveryProblem>(),
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
  /** Days until the next reminder; null or 0 for none. */
  remind_after_days: integer(),
  /** Counts a send's reminders from 1; null for the send itself. */
  reminder: integer(),
  /**
   * The mail service's id, without angle brackets. Null if the e-mail was recorded by hand or before ids were stored.
   */
  message_id: text(),
  /** How the e-mail bounced. */
  delivery_problem: text({ mode: "json" }).$type<DeliveryProblem>(),
});

export const deliverablesRules = [
  // A sign-off has already set updated_at, and a signed-off deliverable is final. A deliverable and its first version
  // count as one record.
  rules(deliverables, {
    counted: { by: { deliverable_count: 1, record_count: 1 } },
    stamped: { when: ({ NEW }) => sql`${NEW.current_state} = 'open'` },
    notReplaced: true,
  }),
  rules(deliverableVersions, {
    counted: { by: { record_count: 1 }, when: ({ version_number }) => sql`${version_number} > 1` },
    writtenOnce: true,
    notReplaced: true,
  }),
];
