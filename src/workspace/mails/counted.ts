import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { raise } from "../../db/trigger.ts";
import { organizations, plans } from "../organizations/tables.ts";
import { mailCounts } from "./tables.ts";

interface Kind {
  column: "mails" | "invitations";
  /** What one address gets in a day. */
  most: number;
  refused: "mails_to_address" | "invitations_to_address";
}

export const reviewMails: Kind = {
  column: "mails",
  most: limits.mailsToAddressPerDay,
  refused: "mails_to_address",
};

export const invitationMails: Kind = {
  column: "invitations",
  most: limits.invitationsToAddressPerDay,
  refused: "invitations_to_address",
};

export function counted(mail: { organization_id: SQL; email: SQL }, { column, most, refused }: Kind): SQL[] {
  const ofDay = sql`WHERE mail_counts.organization_id = ${mail.organization_id} AND day = date('now')`;
  const count = (address: SQL, name: string) =>
    sql`INSERT INTO ${mailCounts} (organization_id, day, address, ${sql.raw(name)})
      VALUES (${mail.organization_id}, date('now'), ${address}, 1)
      ON CONFLICT (day, organization_id, address) DO UPDATE SET ${sql.raw(`${name} = ${name} + 1`)}`;
  return [
    count(sql`''`, "mails"),
    count(sql`lower(${mail.email})`, column),
    raise(
      refused,
      sql`FROM ${mailCounts} ${ofDay} AND address = lower(${mail.email}) AND ${sql.raw(column)} > ${most}`,
    ),
    raise(
      "mails_of_workspace",
      sql`FROM ${mailCounts} JOIN ${organizations} ON organizations.id = mail_counts.organization_id
        JOIN ${plans} ON plans.name = organizations.plan ${ofDay} AND address = '' AND mails > plans.mails_per_day`,
    ),
  ];
}
