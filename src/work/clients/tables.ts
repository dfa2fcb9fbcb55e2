import { sql } from "drizzle-orm";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { clientStatuses } from "../../contract/closed-sets.ts";
import { flag, stamps } from "../../db/columns.ts";
import { oneRecord, rules } from "../../db/rules.ts";

export const clients = sqliteTable("clients", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  company_name: text(),
  client_name: text(),
  name: text().notNull().generatedAlwaysAs(sql`coalesce(nullif(trim(company_name), ''), client_name)`),
  email: text(),
  status: text({ enum: clientStatuses }).notNull().default("active"),
  is_sample: flag().notNull().default(false),
  external_id: text(),
  ...stamps,
  sort_name: text(),
});

/** Maps letters to their form without case and accents, for `sort_name`. */
export const foldedLetters = sqliteTable("folded_letters", {
  letter: text().primaryKey(),
  folded: text().notNull(),
});

export const clientsRules = [
  // Updating `sort_name` does not count as an edit, so it does not bump `updated_at`.
  rules(clients, {
    counted: oneRecord,
    stamped: { when: ({ NEW, OLD }) => sql`${NEW.sort_name} IS ${OLD.sort_name}` },
  }),
];
