import { inArray, lt, sql } from "drizzle-orm";
import { build, statement } from "../../db/build.ts";
import { batch } from "../../db/query.ts";
import { reviewCodes, reviewKeys } from "../../db/schema/review.ts";
import { mailCounts } from "../../db/schema/workspace.ts";

/** Kept a day beyond their end: the codes of the last hour are counted. */
const dayAgo = sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 day')`;

/** At most this many in a minute, so that no minute locks the database for long. */
const rowsPerMinute = 500;

/** Keys and codes that open nothing any more are forgotten. */
export async function purgeReviewKeys(db: D1Database): Promise<void> {
  const keys = build.select({ key: reviewKeys.key_hash }).from(reviewKeys);
  const codes = build.select({ id: reviewCodes.id }).from(reviewCodes);
  const { day, organization_id, address } = mailCounts;
  const counts = build.select({ day, organization_id, address }).from(mailCounts);
  const oldKeys = keys.where(lt(reviewKeys.expires_at, dayAgo)).limit(rowsPerMinute);
  const oldCodes = codes.where(lt(reviewCodes.expires_at, dayAgo)).limit(rowsPerMinute);
  const oldCounts = counts.where(lt(mailCounts.day, sql`date('now', '-1 day')`)).limit(rowsPerMinute);
  await batch(db, [
    statement(build.delete(reviewKeys).where(inArray(reviewKeys.key_hash, oldKeys))),
    statement(build.delete(reviewCodes).where(inArray(reviewCodes.id, oldCodes))),
    statement(build.delete(mailCounts).where(sql`(${day}, ${organization_id}, ${address}) IN ${oldCounts}`)),
  ]);
}
