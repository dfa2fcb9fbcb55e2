import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { disabledReasons, endpointNotices } from "../../contract/closed-sets.ts";
import { flag, stamps } from "../../db/columns.ts";
import { rules } from "../../db/rules.ts";

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
  url_changed_at: text(),
  headers: text({ mode: "json" }).$type<string[]>().notNull().default([]),
  headers_encrypted: text(),
});

export const endpointsRules = [
  // Counters do not bump updated_at, which would cost a write for every attempted delivery.
  rules(webhookEndpoints, {
    stamped: {
      of: [
        "url",
        "description",
        "events",
        "enabled",
        "secret_encrypted",
        "previous_secret_encrypted",
        "headers_encrypted",
        "deleted_at",
      ],
    },
  }),
];
