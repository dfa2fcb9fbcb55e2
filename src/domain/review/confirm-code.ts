import { and, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import { build, insertSelect, row, rows } from "../../db/build.ts";
import { batch, run } from "../../db/query.ts";
import { now, nowWith } from "../../db/schema/columns.ts";
import { deliverables, reviewCodes, reviewKeys } from "../../db/schema/review.ts";
import { clients } from "../../db/schema/work.ts";
import { equalInConstantTime, hmacBase64Url } from "../../platform/digest.ts";
import { newSecret, secretHash } from "../../platform/secret.ts";
import type { Services } from "../services.ts";
import { isLiveCode, type ReviewVisit, readsOfReview, toReview } from "./find-review.ts";
import { codeHash } from "./mail-code.ts";
import type { Review } from "./review.ts";

interface TypedCode {
  code: string;
  /** The id of the page's form. Without one, each request counts as another form. */
  form_id?: string;
}

/** Exchanges a confirmed code for a key to this one review. */
export async function confirmCode(
  { db, codeKey }: Pick<Services, "db" | "codeKey">,
  visit: ReviewVisit,
  before: Review,
  { code, form_id }: TypedCode,
): Promise<{ key: string } | Refusal> {
  const { organizationId, deliverableId } = before;
  const [codes, ...reads] = await batch(db, [countTries(before), ...readsOfReview(visit)]);
  const review = toReview(...reads) ?? before;
  const refusal = refuse(review.isCodeSent ? "code_wrong" : "code_over");
  if (review.clientEmail === null) return refusal;
  const right = codes.find(({ id, code_hash }) =>
    equalInConstantTime(code_hash, codeHash(codeKey, id, code)),
  );
  // A form that is sent twice, as by a double press, gets the same key twice.
  const key = form_id
    ? hmacBase64Url(codeKey, `review key ${deliverableId} ${form_id} ${code}`)
    : newSecret();
  const isKnown =
    (right && (await exchange(db, review, right.id, key))) ||
    (await run(db, findNewKey(organizationId, key)));
  return isKnown ? { key } : refusal;
}

/** Counts each try before its code is compared, so that tries at the same time count as well. */
function countTries({ organizationId, deliverableId }: Pick<Review, "organizationId" | "deliverableId">) {
  const tried = { id: reviewCodes.id, code_hash: reviewCodes.code_hash };
  const live = build
    .select({ id: reviewCodes.id })
    .from(reviewCodes)
    .innerJoin(deliverables, eq(deliverables.id, deliverableId))
    .innerJoin(clients, eq(clients.id, deliverables.client_id))
    .where(isLiveCode);
  const count = build
    .update(reviewCodes)
    .set({ tries: sql`${reviewCodes.tries} + 1` })
    .where(and(inArray(reviewCodes.id, live), eq(reviewCodes.organization_id, organizationId)))
    .returning(tried);
  return rows(tried, count);
}

/** Whether the key was made within the last minute. */
function findNewKey(organizationId: string, key: string) {
  const isNew = and(
    eq(reviewKeys.key_hash, secretHash(key)),
    eq(reviewKeys.organization_id, organizationId),
    gt(reviewKeys.created_at, nowWith(`-${limits.pressedAgainSeconds} seconds`)),
  );
  const found = { key_hash: reviewKeys.key_hash };
  return row(found, build.select(found).from(reviewKeys).where(isNew));
}

/** Uses a code once: of two requests at the same time, one gets a key. */
async function exchange(
  db: D1Database,
  { organizationId, deliverableId, clientEmail }: Review,
  codeId: string,
  key: string,
): Promise<boolean> {
  const isUnused = and(
    eq(reviewCodes.id, codeId),
    eq(reviewCodes.organization_id, organizationId),
    isNull(reviewCodes.used_at),
  );
  const inserted = insertSelect(
    reviewKeys,
    {
      key_hash: secretHash(key),
      organization_id: organizationId,
      deliverable_id: deliverableId,
      email: clientEmail ?? "",
      attribution: "mailed_code",
      expires_at: nowWith(`+${reviewLimits.codeKeyHours} hours`),
    },
    sql`FROM ${reviewCodes} WHERE ${isUnused} ON CONFLICT DO NOTHING RETURNING key_hash`,
  );
  const used = build.update(reviewCodes).set({ used_at: now }).where(isUnused);
  const [made] = await batch(db, [
    row({ key_hash: reviewKeys.key_hash }, inserted),
    row({ id: reviewCodes.id }, used.returning({ id: reviewCodes.id })),
  ]);
  return made !== null;
}
