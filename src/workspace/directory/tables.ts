import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Workspaces with an outdated directory entry. The row with an empty id marks the database of a cell; without it,
 * triggers add no rows.
 */
export const directoryChanges = sqliteTable("directory_changes", {
  id: text().primaryKey(),
  /** Counts the changes, so that an entry that changes while it is copied is copied again. */
  changes: integer().notNull().default(1),
});
