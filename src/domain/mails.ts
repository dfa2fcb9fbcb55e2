import { sql } from "drizzle-orm";
import { type Refusal, refuse, textRaised } from "../contract/refusal.ts";
import { build, statement } from "../db/build.ts";
import type { Query } from "../db/query.ts";
import { mailCounts } from "../db/schema/workspace.ts";

/**
 * Limits the mails that a workspace causes in a day. The database counts each when it stores what the mail carries: the
 * key of its link, or its code (db/triggers/mails.ts).
 */

const daySeconds = 86_400;

/** Whole seconds to the end of the day (UTC), at least 1. */
const secondsOfDayLeft = (nowMs: number): number => daySeconds - (Math.floor(nowMs / 1000) % daySeconds);

/** The 429 of a mail beyond the limit; undefined for any other error. */
export function tooManyMails(error: unknown, nowMs: number): Refusal | undefined {
  const raised = textRaised(error);
  if (raised !== "mails_to_address" && raised !== "mails_of_workspace") return undefined;
  const seconds = secondsOfDayLeft(nowMs);
  return refuse(raised, { retry_after_seconds: seconds }, { "Retry-After": String(seconds) });
}

/** A mail that did not go out does not count. */
export const uncountMail = (organizationId: string, address: string): Query<void> =>
  statement(
    build
      .update(mailCounts)
      .set({ mails: sql`${mailCounts.mails} - 1` })
      .where(
        sql`${mailCounts.organization_id} = ${organizationId} AND ${mailCounts.day} = date('now')
          AND ${mailCounts.address} IN ('', lower(${address})) AND ${mailCounts.mails} > 0`,
      ),
  );
