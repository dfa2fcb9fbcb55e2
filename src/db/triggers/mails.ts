import { type SQL, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { reviewCodes, reviewKeys } from "../schema/review.ts";
import { mailCounts, organizations, plans } from "../schema/workspace.ts";
import { before, raise, type Statement } from "../trigger.ts";

/**
 * Mails that a workspace causes to an address that it chose: review links and codes. Each is counted before it goes
 * out, and one too many is refused with all that was to be written with it.
 */
export const mailTriggers: readonly Statement[] = [
  before(reviewKeys, "INSERT", "mailed", ({ NEW }) => ({
    when: sql`${NEW.attribution} = 'mailed_link'`,
    do: counted(NEW),
  })),
  before(reviewCodes, "INSERT", "mailed", ({ NEW }) => ({ when: sql`${NEW.email} <> ''`, do: counted(NEW) })),
];

function counted(mail: { organization_id: SQL; email: SQL }): SQL[] {
  const ofDay = sql`WHERE mail_counts.organization_id = ${mail.organization_id} AND day = date('now')`;
  return [
    sql`INSERT INTO ${mailCounts} (organization_id, day, address, mails)
      VALUES (${mail.organization_id}, date('now'), '', 1),
        (${mail.organization_id}, date('now'), lower(${mail.email}), 1)
      ON CONFLICT (day, organization_id, address) DO UPDATE SET mails = mails + 1`,
    raise(
      "mails_to_address",
      sql`FROM ${mailCounts} ${ofDay} AND address = lower(${mail.email}) AND mails > ${limits.mailsToAddressPerDay}`,
    ),
    raise(
      "mails_of_workspace",
      sql`FROM ${mailCounts} JOIN ${organizations} ON organizations.id = mail_counts.organization_id
        JOIN ${plans} ON plans.name = organizations.plan ${ofDay} AND address = '' AND mails > plans.mails_per_day`,
    ),
  ];
}
