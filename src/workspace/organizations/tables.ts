import { type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, stamps } from "../../db/columns.ts";
import { rules } from "../../db/rules.ts";

export const currencies = sqliteTable("currencies", {
  code: text().primaryKey(),
  minor_units_per_unit: integer().notNull(),
});

export const plans = sqliteTable("plans", {
  name: text().primaryKey(),
  api_access: flag().notNull(),
  requests_per_minute: integer().notNull(),
  deliverable_cap: integer(),
  mails_per_day: integer().notNull().default(50),
  storage_mb: integer(),
  records_cap: integer(),
});

export const organizations = sqliteTable("organizations", {
  id: text().primaryKey(),
  slug: text().notNull(),
  name: text().notNull(),
  plan: text().notNull(),
  currency: text().notNull().default("USD"),
  features: text({ mode: "json" }).$type<string[]>().notNull().default([]),
  on_send_status_label: text(),
  deliverable_count: integer().notNull().default(0),
  next_invoice_number: integer().notNull().default(1),
  ...stamps,
  storage_bytes: integer().notNull().default(0),
  record_count: integer().notNull().default(0),
  /** null: the plan's. */
  requests_per_minute: integer(),
  /** What the workspace's links begin with: 48 random bits as 8 characters of base64url, given by the database. */
  link_prefix: text().notNull().default(""),
  /** How long after a send clients are reminded; 0: they are not. */
  reminder_days: integer().notNull().default(0),
});

/** How many requests a minute a workspace may make: its own ceiling, or its plan's. */
export const requestsPerMinute: SQL<number> = sql`coalesce(${organizations.requests_per_minute},
  ${plans.requests_per_minute})`;

export const organizationsRules = [
  // Counters are not edits: moving updated_at would cost a write for every new deliverable.
  rules(organizations, {
    stamped: {
      of: [
        "slug",
        "name",
        "plan",
        "currency",
        "features",
        "on_send_status_label",
        "requests_per_minute",
        "reminder_days",
      ],
    },
  }),
];
