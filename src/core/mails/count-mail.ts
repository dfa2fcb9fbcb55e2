import { type SQL, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { raise } from "../../db/trigger.ts";
import { organizations, plans } from "../../workspace/organizations/tables.ts";
import { mailCounts } from "./tables.ts";

interface Kind {
  column: "mails" | "invitations";
  /** How many e-mails a workspace can send to one address per day. The limit applies to each workspace separately. */
  limitPerDay: number;
  /** How many can be sent per day beyond the plan's limit, so that other e-mails cannot use them up. */
  allowancePerDay: number;
  refused: "mails_to_address" | "invitations_to_address";
}

export const reviewMails: Kind = {
  column: "mails",
  limitPerDay: limits.mailsToAddressPerDay,
  allowancePerDay: 0,
  refused: "mails_to_address",
};

/** Codes get an allowance beyond the plan's limit, because a client cannot open a review without one. */
export const reviewCodeMails: Kind = {
  ...reviewMails,
  limitPerDay: limits.mailsToAddressPerDay + limits.codesBesideMailsPerDay,
  allowancePerDay: limits.codesBesideMailsPerDay,
};

export const invitationMails: Kind = {
  column: "invitations",
  limitPerDay: limits.invitationsToAddressPerDay,
  allowancePerDay: 0,
  refused: "invitations_to_address",
};

export function countMail(
  mail: { organization_id: SQL; email: SQL },
  { column, limitPerDay, allowancePerDay, refused }: Kind,
): SQL[] {
  const ofWorkspace = sql`mail_counts.organization_id = ${mail.organization_id}`;
  const count = (address: SQL, name: string) =>
    sql`INSERT INTO ${mailCounts} (organization_id, day, address, ${sql.raw(name)})
      VALUES (${mail.organization_id}, date('now'), ${address}, 1)
      ON CONFLICT (day, organization_id, address) DO UPDATE SET ${sql.raw(`${name} = ${name} + 1`)}`;
  return [
    count(sql`''`, "mails"),
    count(sql`lower(${mail.email})`, column),
    raise(
      refused,
      sql`FROM ${mailCounts} WHERE ${ofWorkspace} AND day = date('now') AND address = lower(${mail.email})
        AND ${sql.raw(column)} > ${limitPerDay}`,
    ),
    raise(
      "mails_of_workspace",
      sql`FROM ${mailCounts} JOIN ${organizations} ON organizations.id = mail_counts.organization_id
        JOIN ${plans} ON plans.name = organizations.plan
        WHERE ${ofWorkspace} AND day = date('now') AND address = ''
          AND mails > plans.mails_per_day + ${allowancePerDay}`,
    ),
  ];
}
