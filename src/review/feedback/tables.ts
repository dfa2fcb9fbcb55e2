import { sql } from "drizzle-orm";
import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { attributions, feedbackKinds } from "../../contract/closed-sets.ts";
import { createdAt } from "../../db/columns.ts";
import { oneRecord, rules } from "../../db/rules.ts";

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
  anchor_x: real(),
  anchor_y: real(),
});

export const feedbackRules = [
  // Clients' feedback is limited per review and day, and not by the plan.
  rules(feedback, {
    counted: { ...oneRecord, when: ({ attribution }) => sql`${attribution} = 'recorded_by_admin'` },
    writtenOnce: true,
    kept: true,
  }),
];
