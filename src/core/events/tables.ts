import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { deliveryStatuses, eventCategories } from "../../contract/closed-sets.ts";
import { ascendingId, createdAt, randomId } from "../../db/columns.ts";
import { rules } from "../../db/rules.ts";

export const events = sqliteTable("events", {
  /** Ascends in commit order. */
  sequence: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull().default(randomId),
  organization_id: text().notNull(),
  event: text().notNull(),
  /** Null for an event that is not in the feed. */
  category: text({ enum: eventCategories }),
  subject_id: text().notNull(),
  /** The request body. Stored as text, so that the same bytes are sent each time. */
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
  /** When an attempt last failed. A later success does not clear it, since queries use it to find logged failures. */
  failed_at: text(),
  replayed_at: text(),
});

export const eventsRules = [
  // Not `kept`, because old events are deleted.
  rules(events, { writtenOnce: true, notReplaced: true, unique: ["id"] }),
];
