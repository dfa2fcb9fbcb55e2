import { type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Organizations whose copy is being imported. Their rows come as they were, so every trigger of an INSERT yields to
 * this mark: what it would write comes with the copy. While rows are imported, the service takes no other writes.
 */
export const imports = sqliteTable("imports", {
  id: text().primaryKey(),
  /** Under which the organization comes back. */
  slug: text().notNull(),
  /** What the copy says of itself, but for its images. */
  manifest: text().notNull(),
  /** Rows that are imported, over all tables: a page that comes again is refused. */
  rows: integer().notNull().default(0),
});

export const notImporting = (row: { organization_id?: SQL }): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${imports} WHERE id = ${row.organization_id})`;
