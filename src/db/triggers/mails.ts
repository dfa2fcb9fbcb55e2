import { type SQL, sql } from "drizzle-orm";
import { adminRoles } from "../../contract/closed-sets.ts";
import { limits } from "../../contract/limits.ts";
import { reviewCodes, reviewKeys } from "../schema/review.ts";
import { signInLinks } from "../schema/sessions.ts";
import { invitations, mailCounts, members, organizations, plans } from "../schema/workspace.ts";
import { after, before, raise, type Statement } from "../trigger.ts";

interface Kind {
  column: "mails" | "invitations";
  /** What one address gets in a day. */
  most: number;
  refused: "mails_to_address" | "invitations_to_address";
}
const reviewMails: Kind = { column: "mails", most: limits.mailsToAddressPerDay, refused: "mails_to_address" };
const invitationMails: Kind = {
  column: "invitations",
  most: limits.invitationsToAddressPerDay,
  refused: "invitations_to_address",
};

/**
 * Mails are counted when what they carry is written. One too many of those that a workspace causes to an address that
 * it chose is refused with all that was to be written with it. Notices are counted as they go out (domain/mails.ts).
 */
export const mailTriggers: readonly Statement[] = [
  before(reviewKeys, "INSERT", "mailed", ({ NEW }) => ({
    when: sql`${NEW.attribution} = 'mailed_link'`,
    do: counted(NEW, reviewMails),
  })),
  before(reviewCodes, "INSERT", "mailed", ({ NEW }) => ({
    when: sql`${NEW.email} <> ''`,
    do: counted(NEW, reviewMails),
  })),
  // Behind the change: an INSERT that becomes an UPDATE fires both triggers before it.
  after(invitations, "INSERT", "mailed", ({ NEW }) => ({ do: counted(NEW, invitationMails) })),
  after(invitations, ["token_hash"], "mailed_again", ({ NEW }) => ({ do: counted(NEW, invitationMails) })),
  // By the workspace whose admin signs in. It is counted and never refused: nobody is locked out.
  after(signInLinks, "INSERT", "mailed", ({ NEW }) => ({
    do: sql`INSERT INTO ${mailCounts} (organization_id, day, address, sign_in_links)
      SELECT organization_id, date('now'), lower(${NEW.email}), 1
      FROM ${members} WHERE email = ${NEW.email} AND role IN ${adminRoles} ORDER BY created_at LIMIT 1
      ON CONFLICT (day, organization_id, address) DO UPDATE SET sign_in_links = sign_in_links + 1`,
  })),
];

function counted(mail: { organization_id: SQL; email: SQL }, { column, most, refused }: Kind): SQL[] {
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
