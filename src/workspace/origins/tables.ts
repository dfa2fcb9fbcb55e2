import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt } from "../../db/columns.ts";

/** Where the links of review e-mails may lead besides the application's own origin. */
export const allowedOrigins = sqliteTable("allowed_origins", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  origin: text().notNull(),
  created_by: text().notNull(),
  ...createdAt,
});
