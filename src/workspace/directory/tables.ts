import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Workspaces with an outdated directory entry. The row with an empty id marks the database of a cell; without it,
 * triggers add no rows.
 */
export const directoryChanges = sqliteTable("directory_changes", {
  id: text().primaryKey(),
  /** Counts the changes, so that an entry is copied again if it changes during the copy. */
  changes: integer().notNull().default(1),
});
