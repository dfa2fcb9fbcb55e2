import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt } from "../../db/columns.ts";

/** Origins that links in review e-mails may use besides the application's own. */
export const allowedOrigins = sqliteTable("allowed_origins", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  origin: text().notNull(),
  created_by: text().notNull(),
  ...createdAt,
});
