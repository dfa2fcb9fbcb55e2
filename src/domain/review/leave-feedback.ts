import { and, eq, gt, notExists, type SQL, sql } from "drizzle-orm";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import { build, insertSelect, row, statement } from "../../db/build.ts";
import { batch } from "../../db/query.ts";
import { nowWith } from "../../db/schema/columns.ts";
import { deliverables, feedback } from "../../db/schema/review.ts";
import { derivedUuid } from "../../platform/digest.ts";
import { findReview, type ReviewVisit, readsOfReview, toReview } from "./find-review.ts";
import type { FeedbackKind, Review } from "./review.ts";
import { hasShareToken } from "./share-url.ts";

interface NewFeedback {
  form_id: string;
  version_number: number;
  kind: FeedbackKind;
  author_name: string;
  body: string;
}

/** The result of a form: the review as it stands now, and the refusal, if there is one. */
export interface FormOutcome {
  review: Review;
  refusal: Refusal | null;
  /** The row that the form made, now or when it was sent before. */
  id: string;
}

/** Whether the review has room for one more of a day's comments from visitors who came by its bare link. */
function hasRoom({ organizationId, deliverableId }: Review): SQL {
  const unconfirmed = and(
    eq(feedback.deliverable_id, deliverableId),
    eq(feedback.organization_id, organizationId),
    gt(feedback.created_at, nowWith("-1 day")),
    eq(feedback.attribution, "link_only"),
  );
  return sql`(SELECT count(*) FROM ${feedback} WHERE ${unconfirmed}) < ${reviewLimits.unconfirmedPerDay}`;
}

/** Why the insert wrote nothing, by the review as it stands behind it. */
function whyNot({ state, versionNumber }: Review, seenVersion: number): Refusal {
  if (state === "approved") return refuse("deliverable_signed_off");
  return refuse(versionNumber === seenVersion ? "too_many_comments" : "newer_version");
}

/**
 * Records a visitor's feedback on the version that they saw, if it is still the newest. Null: there is no such review.
 */
export async function leaveFeedback(
  db: D1Database,
  visit: ReviewVisit,
  { form_id, version_number, kind, author_name, body }: NewFeedback,
): Promise<FormOutcome | null> {
  const before = await findReview(db, visit);
  if (!before) return null;
  const { organizationId, deliverableId, visitor } = before;
  const id = derivedUuid("feedback", deliverableId, form_id);
  const written = {
    id: feedback.id,
    kind: feedback.kind,
    author_name: feedback.author_name,
    body: feedback.body,
  };
  const isOfForm = and(eq(feedback.id, id), eq(feedback.organization_id, organizationId));
  const insert = insertSelect(
    feedback,
    {
      id,
      organization_id: organizationId,
      deliverable_id: deliverableId,
      version_number,
      kind,
      author_name,
      body,
      attribution: visitor,
    },
    sql`FROM ${deliverables} WHERE ${and(
      hasShareToken(visit.shareToken),
      eq(deliverables.organization_id, organizationId),
      eq(deliverables.current_state, "open"),
      eq(deliverables.version_number, version_number),
      notExists(build.select({ id: feedback.id }).from(feedback).where(isOfForm)),
      visitor === "link_only" ? hasRoom(before) : undefined,
    )}`,
  );
  const [, made, ...reads] = await batch(db, [
    statement(insert),
    row(written, build.select(written).from(feedback).where(isOfForm)),
    ...readsOfReview(visit),
  ]);
  const review = toReview(...reads) ?? before;
  if (!made) return { review, refusal: whyNot(review, version_number), id };
  const isSame = made.kind === kind && made.author_name === author_name && made.body === body;
  return { review, refusal: isSame ? null : refuse("idempotency_key_reused"), id };
}
