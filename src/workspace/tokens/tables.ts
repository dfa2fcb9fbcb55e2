import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, flag } from "../../db/columns.ts";

export const apiTokens = sqliteTable("api_tokens", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  name: text().notNull(),
  token_hash: text().notNull(),
  token_prefix: text().notNull(),
  scopes: text({ mode: "json" }).$type<string[]>().notNull(),
  has_api_access: flag().notNull().default(false),
  created_by: text().notNull(),
  ...createdAt,
  revoked_at: text(),
  expires_at: text(),
  lives_days: integer(),
  warnings_sent: integer().notNull().default(0),
  warning_leased_until: text(),
  allowed_ips: text({ mode: "json" }).$type<string[]>(),
});
