import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, stamps } from "../../db/columns.ts";
import { oneRecord, rules } from "../../db/rules.ts";

export const timeEntries = sqliteTable(
  "time_entries",
  {
    id: text().notNull(),
    organization_id: text().notNull(),
    project_id: text().notNull(),
    client_id: text().notNull(),
    user_id: text().notNull(),
    description: text(),
    spent_date: text().notNull(),
    hours: real().notNull(),
    started_at: text(),
    ended_at: text(),
    billable: flag().notNull().default(true),
    hourly_rate_minor: integer(),
    currency: text().notNull(),
    invoice_id: text(),
    client_ref: text(),
    ...stamps,
  },
  (table) => [primaryKey({ columns: [table.organization_id, table.id] })],
);

export const timeEntriesRules = [rules(timeEntries, { counted: oneRecord, stamped: true })];
