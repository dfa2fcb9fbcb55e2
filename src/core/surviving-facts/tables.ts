import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Facts that the coordinator has yet to store (send-surviving-facts.ts). The `subject_id` is a token's id for the
 * time of its end, and "" for the next invoice number.
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
