import { inArray, lt, type SQL, sql } from "drizzle-orm";
import { requestLogLimits } from "../../contract/request-log-limits.ts";
import { build, statement } from "../../db/build.ts";
import { nowWith } from "../../db/columns.ts";
import { batch, type Query } from "../../db/query.ts";
import { mailCounts, serviceMails } from "../../workspace/mails/tables.ts";
import { reviewCodes, reviewKeys } from "./tables.ts";

/** Rows are kept for a day after their end, because the codes of the last hour are counted. */
const dayAgo = nowWith("-1 day");

/** At most this many in a minute, so that no minute locks the database for long. */
const rowsPerMinute = 500;

/** Deletes keys and codes that open nothing any more. */
export async function purgeReviewKeys(db: D1Database): Promise<void> {
  const keys = build.select({ key: reviewKeys.key_hash }).from(reviewKeys);
  const codes = build.select({ id: reviewCodes.id }).from(reviewCodes);
  const oldKeys = keys.where(lt(reviewKeys.expires_at, dayAgo)).limit(rowsPerMinute);
  const oldCodes = codes.where(lt(reviewCodes.expires_at, dayAgo)).limit(rowsPerMinute);
  await batch(db, [
    statement(build.delete(reviewKeys).where(inArray(reviewKeys.key_hash, oldKeys))),
    statement(build.delete(reviewCodes).where(inArray(reviewCodes.id, oldCodes))),
    ...purgeMailCounts(),
    statement(build.delete(serviceMails).where(lt(serviceMails.day, sql`date('now', '-1 day')`))),
  ]);
}

/** The counts of addresses, a day after their last mail; those of whole workspaces stay as long as usage is shown. */
function purgeMailCounts(): Query<void>[] {
  const { day, organization_id, address } = mailCounts;
  const place = sql`(${day}, ${organization_id}, ${address})`;
  const oldest = (isOld: SQL) =>
    build
      .select({ day, organization_id, address })
      .from(mailCounts)
      .where(isOld)
      .orderBy(day)
      .limit(rowsPerMinute);
  const ofAddresses = sql`${address} <> '' AND ${day} < date('now', '-1 day')`;
  const ofWorkspaces = sql`${address} = '' AND ${day} < date('now', ${`-${requestLogLimits.usageDays.max} days`})`;
  return [ofAddresses, ofWorkspaces].map((isOld) =>
    statement(build.delete(mailCounts).where(sql`${place} IN (${oldest(isOld)})`)),
  );
}
