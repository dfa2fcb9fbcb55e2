import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { memberRoles, roles } from "../../contract/closed-sets.ts";
import type { DeliveryProblem } from "../../contract/delivery-problem.ts";
import { stamps } from "../../db/columns.ts";
import { rules } from "../../db/rules.ts";

export const members = sqliteTable("members", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  email: text().notNull(),
  name: text(),
  role: text({ enum: roles }).notNull(),
  ...stamps,
  /** How the newest e-mail to this person bounced. */
  delivery_problem: text({ mode: "json" }).$type<DeliveryProblem>(),
});

/** Invited people, who become members when they accept. */
export const invitations = sqliteTable("invitations", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  email: text().notNull(),
  name: text(),
  role: text({ enum: memberRoles }).notNull(),
  token_hash: text().notNull(),
  created_by: text().notNull(),
  expires_at: text().notNull(),
  accepted_at: text(),
  ...stamps,
  /** Since when the e-mail has waited, because its address had reached the daily limit; null if it is not waiting. */
  waits_since: text(),
  mail_due_at: text(),
  /** How the newest invitation e-mail bounced. */
  delivery_problem: text({ mode: "json" }).$type<DeliveryProblem>(),
});

export const membersRules = [rules(members, { stamped: true }), rules(invitations, { stamped: true })];
