import { type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Organizations that are being imported. INSERT triggers skip their rows (except with `firesInImport`), because the
 * export already contains what the triggers would write. Until the import ends, a fence (fencing.ts) prevents other
 * changes.
 */
export const imports = sqliteTable("imports", {
  id: text().primaryKey(),
  /** The new organization's slug. */
  slug: text().notNull(),
  /** The export's manifest, without its images. */
  manifest: text().notNull(),
  /** The number of rows imported so far, across all tables. A page that is sent twice is rejected. */
  rows: integer().notNull().default(0),
});

export const notImporting = (row: { organization_id?: SQL }): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${imports} WHERE id = ${row.organization_id})`;
