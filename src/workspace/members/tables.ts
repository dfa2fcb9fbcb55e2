import { type SQL, sql } from "drizzle-orm";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { memberRoles, roles } from "../../contract/closed-sets.ts";
import type { DeliveryProblem } from "../../contract/delivery-problem.ts";
import { stamps } from "../../db/columns.ts";
import { rules } from "../../db/rules.ts";
import type { Rows } from "../../db/trigger.ts";

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
  /** The link of an e-mail that may not have been sent. Until it has been, the link before it works too. */
  next_token_hash: text(),
});

/** Whether an e-mail has been sent, so that its link replaces the one before it. */
export const replacesLink = ({ NEW, OLD }: Rows<typeof invitations>): SQL =>
  sql`(${OLD.next_token_hash} IS NOT NULL AND ${NEW.token_hash} = ${OLD.next_token_hash})`;

export const membersRules = [
  rules(members, { stamped: true }),
  rules(invitations, { stamped: { when: (rows) => sql`NOT ${replacesLink(rows)}` } }),
];
