import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, randomId } from "../../db/columns.ts";
import { rules } from "../../db/rules.ts";

export const auditLog = sqliteTable("audit_log", {
  /** The order in which entries were written. */
  sequence: integer().primaryKey(),
  id: text().notNull().default(randomId),
  organization_id: text().notNull(),
  actor: text().notNull(),
  /** If an operator made the change: the user name on their machine. */
  operator: text(),
  action: text().notNull(),
  subject_id: text(),
  details: text({ mode: "json" }).$type<Record<string, unknown>>().notNull().default({}),
  ...createdAt,
});

export const auditLogRules = [rules(auditLog, { writtenOnce: true, kept: true })];
