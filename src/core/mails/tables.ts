import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The day's e-mails to each address, by kind; address "": those that the plan limits, to all addresses. */
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

/** The whole service's e-mails of a day, if it has a quota (mail-quota.ts). */
export const serviceMails = sqliteTable("service_mails", {
  day: text().primaryKey(),
  mails: integer().notNull(),
});
