import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, now } from "../../db/columns.ts";

export const signInLinks = sqliteTable("sign_in_links", {
  token_hash: text().primaryKey(),
  email: text().notNull(),
  ...createdAt,
  expires_at: text().notNull(),
  used_at: text(),
  return_path: text(),
  form_id: text(),
  /** The query of an app's request to connect, if the link returns to that request instead of to `return_path`. */
  connect_query: text(),
});

export const sessions = sqliteTable("sessions", {
  token_hash: text().primaryKey(),
  email: text().notNull(),
  ...createdAt,
  last_used_at: text().notNull().default(now),
  expires_at: text().notNull(),
});
