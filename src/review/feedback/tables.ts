import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { attributions, feedbackKinds } from "../../contract/closed-sets.ts";
import { createdAt } from "../../db/columns.ts";
import { rules } from "../../db/rules.ts";

export const feedback = sqliteTable("feedback", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  deliverable_id: text().notNull(),
  version_number: integer().notNull(),
  kind: text({ enum: feedbackKinds }).notNull(),
  body: text().notNull(),
  author_name: text().notNull(),
  ...createdAt,
  attribution: text({ enum: attributions }).notNull().default("recorded_by_admin"),
});

export const feedbackRules = [rules(feedback, { writtenOnce: true, kept: true })];
