import { lt, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { build, changesRow } from "../../db/build.ts";
import { type Query, run } from "../../db/query.ts";
import { serviceMails as table } from "./tables.ts";

/** Counts one more mail of the whole service today, unless there were as many; answers whether it may go out. */
const countServiceMail = (most: number): Query<boolean> =>
  changesRow(
    build
      .insert(table)
      .values({ day: sql`date('now')`, mails: 1 })
      .onConflictDoUpdate({
        target: table.day,
        set: { mails: sql`${table.mails} + 1` },
        setWhere: lt(table.mails, most),
      })
      .returning({ day: table.day }),
  );

/**
 * The mail service within its quota of a day; without a quota, as it is. A fifth is kept for mails that open something:
 * links to sign in, and codes.
 */
export function limitToQuota(
  db: D1Database,
  email: SendEmail,
  quota: number | null,
): { email: SendEmail; openingEmail: SendEmail } {
  if (quota === null) return { email, openingEmail: email };
  const limitedTo = (most: number): SendEmail => ({
    send: async (mail: never) => {
      if (await run(db, countServiceMail(most))) return email.send(mail);
      throw new Error(`today's ${most} e-mails of the service went out (MAIL_QUOTA)`);
    },
  });
  const kept = Math.ceil(quota * limits.mailsKeptToOpen);
  return { email: limitedTo(quota - kept), openingEmail: limitedTo(quota) };
}
