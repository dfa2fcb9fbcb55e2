import { type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Organizations that are being imported. Their rows are inserted unchanged, so all INSERT triggers are off for
 * them: what those would write is part of the export. A fence (fencing.ts) keeps out every other change until
 * the end.
 */
export const imports = sqliteTable("imports", {
  id: text().primaryKey(),
  /** The name that the organization gets. */
  slug: text().notNull(),
  /** The manifest of the export, without its images. */
  manifest: text().notNull(),
  /** Rows imported so far, over all tables; a page that is sent again is refused. */
  rows: integer().notNull().default(0),
});

export const notImporting = (row: { organization_id?: SQL }): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${imports} WHERE id = ${row.organization_id})`;
