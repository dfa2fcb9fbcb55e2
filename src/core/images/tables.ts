import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt } from "../../db/columns.ts";
import { rules } from "../../db/rules.ts";

/** Every image that some row refers to. */
export const storedImages = sqliteTable("stored_images", {
  path: text().primaryKey(),
  organization_id: text().notNull(),
  bytes: integer().notNull(),
  ...createdAt,
});

export const imagesRules = [
  rules(storedImages, { counted: { by: { storage_bytes: ({ bytes }) => bytes } } }),
];
