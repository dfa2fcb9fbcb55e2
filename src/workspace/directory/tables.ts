import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The workspaces whose entry in the directory is out of date. The row with an empty id marks the database of a cell:
 * without it, triggers add no rows.
 */
export const directoryChanges = sqliteTable("directory_changes", {
  id: text().primaryKey(),
  /** Grows with each change, so that one that comes while an entry is copied is copied again. */
  changes: integer().notNull().default(1),
});
