import { type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Organizations that are being imported. INSERT triggers skip their rows (except with `firesInImport`), because the
 * export already contains what triggers would write. A fence (fencing.ts) prevents other changes until the end.
 */
export const imports = sqliteTable("imports", {
  id: text().primaryKey(),
  /** The new organization's slug. */
  slug: text().notNull(),
  /** The manifest of the export, without its images. */
  manifest: text().notNull(),
  /** Rows imported so far, over all tables. A page that is sent again is refused. */
  rows: integer().notNull().default(0),
});

export const notImporting = (row: { organization_id?: SQL }): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${imports} WHERE id = ${row.organization_id})`;
