import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

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

/** Each minute's attempts by outcome, across all workspaces. */
export const attemptCounts = sqliteTable("attempt_counts", {
  /** `2026-01-31T09:30`, UTC. */
  minute: text().primaryKey(),
  delivered: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  dead: integer().notNull().default(0),
});
