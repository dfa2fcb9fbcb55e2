import { and, eq, sql } from "drizzle-orm";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { build, insertSelect, row, statement } from "../../db/build.ts";
import { batch } from "../../db/query.ts";
import { deliverables, reviewKeys, signOffs } from "../../db/schema/review.ts";
import { clients } from "../../db/schema/work.ts";
import { derivedUuid } from "../../platform/digest.ts";
import { consentText, consentVersion } from "./consent.ts";
import {
  changeRequestsOf,
  findReview,
  opensReview,
  type ReviewVisit,
  readsOfReview,
  toReview,
} from "./find-review.ts";
import { changeRequestsSeen } from "./form-id.ts";
import type { FormOutcome } from "./leave-feedback.ts";
import { type Review, signOffAccess } from "./review.ts";
import { hasShareToken } from "./share-url.ts";

interface NewSignOff {
  form_id: string;
  version_number: number;
  signer_name: string;
}

/** Where a sign-off came from; stands on the certificate alone. */
export interface SignOffEvidence {
  ipAddress: string | null;
  userAgent: string | null;
}

/**
 * Signs off the version that the visitor saw; they must have proved the client's mailbox. The insert, which one of two
 * at the same instant wins, holds only while that version is the newest and open and has no change request that the
 * page did not show. Null: there is no such review.
 */
export async function signOffReview(
  db: D1Database,
  visit: ReviewVisit,
  signature: NewSignOff,
  evidence: SignOffEvidence,
): Promise<FormOutcome | null> {
  const before = await findReview(db, visit);
  if (!before) return null;
  const id = derivedUuid("sign-off", before.deliverableId, signature.form_id);
  const isOfForm = and(eq(signOffs.id, id), eq(signOffs.organization_id, before.organizationId));
  const made = { signer_name: signOffs.signer_name };
  const [, existing, ...reads] = await batch(db, [
    statement(insertOf(before, visit, id, signature, evidence)),
    row(made, build.select(made).from(signOffs).where(isOfForm)),
    ...readsOfReview(visit),
  ]);
  const review = toReview(...reads) ?? before;
  const isSame = existing?.signer_name === signature.signer_name;
  if (existing) return { review, refusal: isSame ? null : refuse("deliverable_signed_off"), id };
  return { review, refusal: whyNot(review, signature.version_number), id };
}

/** Why the insert wrote nothing, by the review as it stands now. */
function whyNot(review: Review, versionNumber: number): Refusal {
  switch (signOffAccess(review)) {
    case "signed_off":
      return refuse("deliverable_signed_off");
    case "no_address":
      return refuse("nobody_to_sign_off");
    case "confirm_address":
      return refuse("address_not_confirmed");
    case "allowed":
      return refuse(review.versionNumber === versionNumber ? "changes_requested" : "newer_version");
  }
}

function insertOf(
  { organizationId, deliverableId, title, workspace }: Review,
  visit: ReviewVisit,
  id: string,
  { form_id, version_number, signer_name }: NewSignOff,
  { ipAddress, userAgent }: SignOffEvidence,
) {
  return insertSelect(
    signOffs,
    {
      id,
      organization_id: organizationId,
      deliverable_id: deliverableId,
      version_number,
      signer_name,
      attribution: sql`${reviewKeys.attribution}`,
      consent: consentText(title, version_number, workspace),
      consent_version: consentVersion,
      ip_address: ipAddress,
      user_agent: userAgent,
    },
    sql`FROM ${deliverables} JOIN ${clients} ON ${eq(clients.id, deliverables.client_id)}
      JOIN ${reviewKeys} ON ${opensReview(visit.keyHash)} WHERE ${and(
        hasShareToken(visit.shareToken),
        eq(deliverables.organization_id, organizationId),
        eq(deliverables.current_state, "open"),
        eq(deliverables.version_number, version_number),
        sql`NOT (${deliverables.is_sample} OR ${clients.is_sample})`,
        sql`${changeRequestsOf(version_number)} <= ${changeRequestsSeen(form_id)}`,
      )}`,
  );
}
