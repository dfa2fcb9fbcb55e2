import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { milestoneStatuses, projectStatuses } from "../../contract/closed-sets.ts";
import { createdAt, stamps } from "../../db/columns.ts";
import { oneRecord, oneRecordPerTenParts, rules } from "../../db/rules.ts";

export const projects = sqliteTable("projects", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  client_id: text().notNull(),
  name: text().notNull(),
  description: text(),
  status: text({ enum: projectStatuses }).notNull().default("active"),
  currency: text().notNull(),
  included_revision_rounds: integer(),
  overridden_revision_rounds: integer().notNull().default(0),
  revision_rounds_used: integer().notNull().default(0),
  start_date: text(),
  end_date: text(),
  kickoff_released_at: text(),
  external_id: text(),
  ...stamps,
});

export const milestones = sqliteTable("milestones", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  project_id: text().notNull(),
  name: text().notNull(),
  position: integer().notNull(),
  status: text({ enum: milestoneStatuses }).notNull().default("pending"),
  due_date: text(),
  amount_minor: integer(),
  ...stamps,
});

export const revisionOverrides = sqliteTable("revision_overrides", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  project_id: text().notNull(),
  rounds: integer().notNull(),
  reason: text().notNull(),
  created_by: text().notNull(),
  ...createdAt,
});

export const projectsRules = [
  rules(projects, { counted: oneRecord, stamped: true }),
  rules(milestones, { counted: oneRecordPerTenParts, stamped: true }),
  rules(revisionOverrides, {
    counted: oneRecord,
    writtenOnce: true,
    kept: true,
  }),
];
