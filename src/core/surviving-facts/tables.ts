import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * What the coordinator must store but does not have yet (send-surviving-facts.ts): a token's end by its id, or
 * under "" the next invoice number.
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
