import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt } from "../../db/columns.ts";

export const connections = sqliteTable("connections", {
  /** Also the id of its token, once the app has exchanged the code. */
  id: text().primaryKey(),
  organization_id: text().notNull(),
  app: text().notNull(),
  redirect_uri: text().notNull(),
  scopes: text({ mode: "json" }).$type<string[]>().notNull(),
  webhook_url: text(),
  webhook_events: text({ mode: "json" }).$type<string[]>(),
  code_hash: text(),
  code_challenge: text(),
  created_by: text().notNull(),
  ...createdAt,
  connected_at: text(),
  endpoint_id: text(),
});
