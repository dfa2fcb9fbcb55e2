import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { now } from "../../db/columns.ts";

/** The nightly database backups (back-up.ts). */
export const backups = sqliteTable("backups", {
  day: text().primaryKey(),
  pages: integer().notNull().default(0),
  place: text().notNull().default('{"step":"later"}'),
  leased_until: text(),
  finished_at: text(),
});

/** Erased images that are still in the backups, each with the first night on which it was missing (copy-images.ts). */
export const erasedImages = sqliteTable("erased_images", {
  path: text().primaryKey(),
  day: text().notNull(),
});

/** A row for each threshold about which the operator was e-mailed, as a percentage of the maximum database size. */
export const sizeNotices = sqliteTable("size_notices", {
  percent: integer().primaryKey(),
  leased_at: text().notNull().default(now),
  mailed_at: text(),
});
