import { lt, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { build, changesRow } from "../../db/build.ts";
import { type Query, run } from "../../db/query.ts";
import { serviceMails as table } from "./tables.ts";

/** Counts an e-mail against the service's quota for today and returns whether it may be sent. */
const countServiceMail = (quota: number): Query<boolean> =>
  changesRow(
    build
      .insert(table)
      .values({ day: sql`date('now')`, mails: 1 })
      .onConflictDoUpdate({
        target: table.day,
        set: { mails: sql`${table.mails} + 1` },
        setWhere: lt(table.mails, quota),
      })
      .returning({ day: table.day }),
  );

/**
 * Limits the e-mail service to its daily quota, if there is one. A fifth of the quota is reserved for sign-in links and
 * codes.
 */
export function limitToQuota(
  db: D1Database,
  email: SendEmail,
  quota: number | null,
): { email: SendEmail; signInEmail: SendEmail } {
  if (quota === null) return { email, signInEmail: email };
  const limitedTo = (limit: number): SendEmail => ({
    send: async (mail: never) => {
      if (await run(db, countServiceMail(limit))) return email.send(mail);
      throw new Error(`today's ${limit} e-mails of the service went out (MAIL_QUOTA)`);
    },
  });
  const kept = Math.ceil(quota * limits.signInMailShare);
  return { email: limitedTo(quota - kept), signInEmail: limitedTo(quota) };
}
