import { and, eq, isNull, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import type { Context } from "../../core/context.ts";
import { recordChange } from "../../core/ledger/ledger.ts";
import { once } from "../../core/ledger/once.ts";
import { build, changesRow, insertSelect, rows, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { isIn } from "../../db/is-in.ts";
import { batch, noQuery } from "../../db/query.ts";
import { equalInConstantTime } from "../../platform/digest.ts";
import { decrypt, encrypt } from "../../platform/encryption.ts";
import { newSecret, secretHash } from "../../platform/secret.ts";
import { clients } from "../../work/clients/tables.ts";
import { deliverables } from "../deliverables/tables.ts";
import { isLiveCode, type ReviewVisit, readsOfReview, toReview } from "../visits/find-review.ts";
import type { Review } from "../visits/review.ts";
import type { ReviewClient } from "../visits/review-client.ts";
import { codeHash } from "./mail-code.ts";
import { reviewCodes, reviewKeys } from "./tables.ts";

/** Exchanges a code for a key to this review. A form submitted twice gets the same key. */
export async function confirmCode(
  context: Context<ReviewClient, "db" | "codeKey" | "webhookSecretKey">,
  visit: ReviewVisit,
  code: string,
): Promise<{ key: string } | Refusal> {
  const { request } = context;
  const { db, codeKey, webhookSecretKey } = context.services;
  const before = context.actor.review;
  const [codes, ...reads] = await batch(db, [countTries(before), ...readsOfReview(visit)]);
  const review = toReview(...reads) ?? before;
  const refusal = refuse(review.isCodeSent ? "code_wrong" : "code_over");
  if (review.clientEmail === null) return refusal;
  const right = codes.find(({ id, code_hash }) =>
    equalInConstantTime(code_hash, codeHash(codeKey, id, code)),
  );
  const exchanging = async () => {
    const key = newSecret();
    const isMade = right && (await exchange(context, review, { codeId: right.id, key }));
    return isMade ? { key } : refusal;
  };
  return once(context, exchanging, async ({ createdAt, secretEncrypted }) => {
    const isRecent = Date.now() - Date.parse(createdAt) <= limits.doubleSubmitSeconds * 1000;
    if (!request || !isRecent || secretEncrypted === null) return refusal;
    return { key: await decrypt(webhookSecretKey, request.key, secretEncrypted) };
  });
}

/** Counts an attempt before comparing the code, so that concurrent attempts count too. */
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
    .where(and(isIn(reviewCodes.id, live), eq(reviewCodes.organization_id, organizationId)))
    .returning(tried);
  return rows(tried, count);
}

/** Marks the code as used and stores the key. Of two concurrent requests, only one succeeds. */
async function exchange(
  { services, request }: Context<ReviewClient, "db" | "webhookSecretKey">,
  { organizationId, deliverableId, clientEmail }: Review,
  { codeId, key }: { codeId: string; key: string },
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
    sql`FROM ${reviewCodes} WHERE ${isUnused} RETURNING key_hash`,
  );
  const used = build.update(reviewCodes).set({ used_at: now }).where(isUnused);
  const entry = request && { ...request, action: "review_code.confirmed", subjectId: deliverableId };
  const [isMade] = await batch(services.db, [
    changesRow(inserted),
    entry
      ? recordChange(entry, { secret: await encrypt(services.webhookSecretKey, entry.key, key) })
      : noQuery,
    statement(used),
  ]);
  return isMade;
}
