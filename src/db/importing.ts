import { type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Organizations whose copy is being imported. Their rows are inserted as they were, so every INSERT trigger is off for
 * them: what it would write comes with the copy. A fence (fencing.ts) keeps every other change out until the end.
 */
export const imports = sqliteTable("imports", {
  id: text().primaryKey(),
  /** The name under which the organization returns. */
  slug: text().notNull(),
  /** The copy's description of itself, without its images. */
  manifest: text().notNull(),
  /** Rows that are imported, over all tables: a page that is sent again is refused. */
  rows: integer().notNull().default(0),
});

export const notImporting = (row: { organization_id?: SQL }): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${imports} WHERE id = ${row.organization_id})`;
