import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { now } from "../../db/columns.ts";

/** At which share of the database's size the operator was mailed. */
export const sizeNotices = sqliteTable("size_notices", {
  percent: integer().primaryKey(),
  leased_at: text().notNull().default(now),
  mailed_at: text(),
});
