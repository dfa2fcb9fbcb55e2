import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { deliveryProblemKinds } from "../../contract/closed-sets.ts";
import { now } from "../../db/columns.ts";

/**
 * E-mail counts per workspace, day, address and kind. The row with address "" counts all e-mails that the plan limits.
 */
export const mailCounts = sqliteTable(
  "mail_counts",
  {
    day: text().notNull(),
    organization_id: text().notNull(),
    address: text().notNull(),
    mails: integer().notNull().default(0),
    invitations: integer().notNull().default(0),
    notices: integer().notNull().default(0),
    sign_in_links: integer().notNull().default(0),
    held_notices: integer().notNull().default(0),
    digest_leased_until: text(),
    invitations_mailed: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.day, table.organization_id, table.address] })],
);

/** The service's e-mails per day, if it has a quota (mail-quota.ts). */
export const serviceMails = sqliteTable("service_mails", {
  day: text().primaryKey(),
  mails: integer().notNull(),
});

/** E-mails to members and invited people, for matching bounce reports. */
export const memberMails = sqliteTable(
  "member_mails",
  {
    organization_id: text().notNull(),
    email: text().notNull(),
    message_id: text().notNull(),
    sent_at: text().notNull().default(now),
  },
  (table) => [primaryKey({ columns: [table.organization_id, table.email, table.message_id] })],
);

/** Bounce reports that have not been matched to an e-mail (review/returned-mails/guards.ts). */
export const mailEvents = sqliteTable("mail_events", {
  message_id: text().primaryKey(),
  kind: text({ enum: deliveryProblemKinds }).notNull(),
  at: text().notNull(),
  reason: text(),
  received_at: text().notNull().default(now),
});

/** A single row: when the mail service last reported anything. */
export const mailReports = sqliteTable("mail_reports", {
  id: integer().primaryKey(),
  received_at: text().notNull(),
});
