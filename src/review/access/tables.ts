import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { mailedAttributions } from "../../contract/closed-sets.ts";
import { createdAt } from "../../db/columns.ts";

/** Keys that identify a returning client, from an e-mailed link or in exchange for a code. */
export const reviewKeys = sqliteTable("review_keys", {
  key_hash: text().primaryKey(),
  organization_id: text().notNull(),
  deliverable_id: text().notNull(),
  email: text().notNull(),
  attribution: text({ enum: mailedAttributions }).notNull(),
  ...createdAt,
  expires_at: text().notNull(),
});

export const reviewCodes = sqliteTable("review_codes", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  deliverable_id: text().notNull(),
  email: text().notNull(),
  code_hash: text().notNull(),
  tries: integer().notNull().default(0),
  ...createdAt,
  expires_at: text().notNull(),
  used_at: text(),
});
