import { type SQL, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { raise } from "../../db/trigger.ts";
import { organizations, plans } from "../organizations/tables.ts";
import { mailCounts } from "./tables.ts";

interface Kind {
  column: "mails" | "invitations";
  /** What one address gets in a day. */
  most: number;
  refused: "mails_to_address" | "invitations_to_address";
  /** Whose mails to the address count. Its own: no workspace can use up what another sends to their client. */
  from: "its own" | "all workspaces";
}

export const reviewMails: Kind = {
  column: "mails",
  most: limits.mailsToAddressPerDay,
  refused: "mails_to_address",
  from: "its own",
};

export const invitationMails: Kind = {
  column: "invitations",
  most: limits.invitationsToAddressPerDay,
  refused: "invitations_to_address",
  from: "all workspaces",
};

export function countMail(
  mail: { organization_id: SQL; email: SQL },
  { column, most, refused, from }: Kind,
): SQL[] {
  const ofWorkspace = sql`mail_counts.organization_id = ${mail.organization_id}`;
  const ofAddress = sql`address = lower(${mail.email}) AND address <> ''`;
  const counted = from === "all workspaces" ? ofAddress : sql`${ofAddress} AND ${ofWorkspace}`;
  const count = (address: SQL, name: string) =>
    sql`INSERT INTO ${mailCounts} (organization_id, day, address, ${sql.raw(name)})
      VALUES (${mail.organization_id}, date('now'), ${address}, 1)
      ON CONFLICT (day, organization_id, address) DO UPDATE SET ${sql.raw(`${name} = ${name} + 1`)}`;
  return [
    count(sql`''`, "mails"),
    count(sql`lower(${mail.email})`, column),
    raise(
      refused,
      sql`WHERE (SELECT sum(${sql.raw(column)}) FROM ${mailCounts} WHERE day = date('now') AND ${counted}) > ${most}`,
    ),
    raise(
      "mails_of_workspace",
      sql`FROM ${mailCounts} JOIN ${organizations} ON organizations.id = mail_counts.organization_id
        JOIN ${plans} ON plans.name = organizations.plan
        WHERE ${ofWorkspace} AND day = date('now') AND address = '' AND mails > plans.mails_per_day`,
    ),
  ];
}
