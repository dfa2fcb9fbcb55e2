import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import {
  deliveryStatuses,
  disabledReasons,
  endpointNotices,
  eventCategories,
} from "../../contract/closed-sets.ts";
import { ascendingId, createdAt, flag, randomId, stamps } from "./columns.ts";
import { rules } from "./rules.ts";

/** Events and their deliveries (migrations/0005). */

export const webhookEndpoints = sqliteTable("webhook_endpoints", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  url: text().notNull(),
  description: text(),
  events: text({ mode: "json" }).$type<string[]>(),
  enabled: flag().notNull().default(true),
  disabled_reason: text({ enum: disabledReasons }),
  notice_due_at: text(),
  notice_leased_at: text(),
  consecutive_dead: integer().notNull().default(0),
  consecutive_failures: integer().notNull().default(0),
  secret_encrypted: text().notNull(),
  previous_secret_encrypted: text(),
  previous_secret_expires_at: text(),
  created_by: text().notNull(),
  ...stamps,
  deleted_at: text(),
  notice: text({ enum: endpointNotices }).notNull().default("disabled"),
  replays_until: text(),
});

export const events = sqliteTable("events", {
  /** The order of commit. */
  sequence: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().default(randomId),
  organization_id: text().notNull(),
  event: text().notNull(),
  /** As the event is declared; null: no event of the feed. */
  category: text({ enum: eventCategories }),
  subject_id: text().notNull(),
  /** JSON that is sent byte for byte. It is text, so that nothing serializes it again. */
  payload: text().notNull(),
  ...createdAt,
});

export const webhookDeliveries = sqliteTable("webhook_deliveries", {
  id: text().primaryKey().default(ascendingId),
  organization_id: text().notNull(),
  endpoint_id: text().notNull(),
  event_id: text().notNull(),
  event: text().notNull(),
  status: text({ enum: deliveryStatuses }).notNull().default("pending"),
  attempts: integer().notNull().default(0),
  next_attempt_at: text(),
  settled_at: text(),
  ...createdAt,
  held_due_at: text(),
  failed_at: text(),
});

export const webhookAttempts = sqliteTable(
  "webhook_attempts",
  {
    organization_id: text().notNull(),
    delivery_id: text().notNull(),
    attempt_number: integer().notNull(),
    attempted_at: text().notNull(),
    response_status: integer(),
    latency_ms: integer().notNull(),
    error_class: text(),
    response_body: text(),
    next_attempt_at: text(),
  },
  (table) => [primaryKey({ columns: [table.delivery_id, table.attempted_at] })],
);

export const webhookRules = [
  // Counters are no edit: they would cost a write for every delivery attempted.
  rules(webhookEndpoints, {
    stamped: {
      of: [
        "url",
        "description",
        "events",
        "enabled",
        "secret_encrypted",
        "previous_secret_encrypted",
        "deleted_at",
      ],
    },
  }),
  // Events are deleted when they are old.
  rules(events, { writtenOnce: true }),
];
