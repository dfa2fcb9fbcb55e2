/**
 * As drizzle sees them: events and their deliveries. The migrations are the truth (constraints, indexes,
 * triggers); test/database/schema.test.ts holds these files against them.
 */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
