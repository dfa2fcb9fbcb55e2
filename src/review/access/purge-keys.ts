import { lt } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { build, statement } from "../../db/build.ts";
import { nowWith } from "../../db/columns.ts";
import { isIn } from "../../db/is-in.ts";
import { batch } from "../../db/query.ts";
import { reviewCodes, reviewKeys } from "./tables.ts";

/** Rows are kept for a day after their end, because the codes of the last hour are counted. */
const dayAgo = nowWith("-1 day");

/** Deletes expired keys and codes. */
export async function purgeReviewKeys(db: D1Database): Promise<void> {
  const keys = build.select({ key: reviewKeys.key_hash }).from(reviewKeys);
  const codes = build.select({ id: reviewCodes.id }).from(reviewCodes);
  const oldKeys = keys.where(lt(reviewKeys.expires_at, dayAgo)).limit(limits.purgedRowsPerMinute);
  const oldCodes = codes.where(lt(reviewCodes.expires_at, dayAgo)).limit(limits.purgedRowsPerMinute);
  await batch(db, [
    statement(build.delete(reviewKeys).where(isIn(reviewKeys.key_hash, oldKeys))),
    statement(build.delete(reviewCodes).where(isIn(reviewCodes.id, oldCodes))),
  ]);
}
