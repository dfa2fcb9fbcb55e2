import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { changeDecisionKinds, changeDecisionStatuses } from "../../contract/closed-sets.ts";
import { stamps } from "../../db/columns.ts";
import { oneRecord, rules } from "../../db/rules.ts";

export const changeDecisions = sqliteTable("change_decisions", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  project_id: text().notNull(),
  title: text().notNull(),
  kind: text({ enum: changeDecisionKinds }).notNull(),
  status: text({ enum: changeDecisionStatuses }).notNull().default("draft"),
  created_by: text().notNull(),
  ...stamps,
});

export const changeDecisionsRules = [
  rules(changeDecisions, { counted: oneRecord, stamped: true, notReplaced: true }),
];
