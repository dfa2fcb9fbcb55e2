import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Workspaces with an outdated directory entry. The row with an empty id marks the database of a cell; without it,
 * triggers add no rows.
 */
export const directoryChanges = sqliteTable("directory_changes", {
  id: text().primaryKey(),
  /** A new random number with each change, so that an entry is copied again if it changes during the copy. */
  changes: integer().notNull().default(1),
});

/** A change's number. It has at most 53 bits, which JavaScript represents exactly. */
export const newChange = sql`random() >> 11`;
