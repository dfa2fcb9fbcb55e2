import { and, lt } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { build, statement } from "../../db/build.ts";
import { nowWith } from "../../db/columns.ts";
import { notFenced } from "../../db/fencing.ts";
import { isIn } from "../../db/is-in.ts";
import { batch } from "../../db/query.ts";
import { reviewCodes, reviewKeys } from "./tables.ts";

/** Expired rows are kept for a day, because the limit counts the codes from the last hour. */
const dayAgo = nowWith("-1 day");

export async function purgeReviewKeys(db: D1Database): Promise<void> {
  const keys = build.select({ key: reviewKeys.key_hash }).from(reviewKeys);
  const codes = build.select({ id: reviewCodes.id }).from(reviewCodes);
  const oldKeys = keys
    .where(and(lt(reviewKeys.expires_at, dayAgo), notFenced(reviewKeys.organization_id)))
    .limit(limits.purgedRowsPerMinute);
  const oldCodes = codes
    .where(and(lt(reviewCodes.expires_at, dayAgo), notFenced(reviewCodes.organization_id)))
    .limit(limits.purgedRowsPerMinute);
  await batch(db, [
    statement(build.delete(reviewKeys).where(isIn(reviewKeys.key_hash, oldKeys))),
    statement(build.delete(reviewCodes).where(isIn(reviewCodes.id, oldCodes))),
  ]);
}
