import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Facts that a coordinator has yet to store (send-surviving-facts.ts). If `subject_id` is a token's id, the value is
 * the time at which the token ends. If it is "", the value is the next invoice number.
 */
export const unsentFacts = sqliteTable(
  "unsent_facts",
  {
    organization_id: text().notNull(),
    subject_id: text().notNull(),
    value: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organization_id, table.subject_id] })],
);
