import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Deliverable } from "../../contract/resources/deliverable.ts";
import type { Anchor } from "../../contract/resources/feedback.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import type { RecordedFeedback } from "../../contract/workspace/records.ts";
import { insertSelect } from "../../db/build.ts";
import { owned } from "../../db/records.ts";
import { nowWith } from "../../db/schema/columns.ts";
import { feedback, deliverables as table } from "../../db/schema/review.ts";
import { newId } from "../../platform/new-id.ts";
import type { ReviewClient, Staff } from "../actor.ts";
import type { Context } from "../context.ts";
import type { SaidKind } from "../review/review.ts";
import { changeInReview } from "./change-in-review.ts";
import { deliverableResource } from "./read-deliverables.ts";
import { findFeedback } from "./read-feedback.ts";

/** What somebody says of a deliverable; `anchor`: the spot of its image that they point at. */
interface Said {
  deliverable: string;
  kind: SaidKind;
  body: string;
  author_name: string;
  anchor?: Anchor | undefined;
}

/**
 * Records what a client said of the newest version; on the review's page, if it is the one that they saw. A change
 * request moves the review state.
 */
export async function recordFeedback(
  context: Context<Staff | ReviewClient, "db">,
  { deliverable: of, anchor, ...said }: Said,
): Promise<RecordedFeedback | Refusal> {
  const { actor } = context;
  const organizationId = context.organization.id;
  const id = newId();
  const attribution = actor.kind === "client" ? actor.review.visitor : "recorded_by_admin";
  const seen = actor.kind === "client" ? actor.seen.versionNumber : undefined;
  const insert = insertSelect(
    feedback,
    {
      id,
      organization_id: organizationId,
      deliverable_id: of,
      version_number: sql`${table.version_number}`,
      ...said,
      attribution,
      anchor_x: anchor?.x,
      anchor_y: anchor?.y,
    },
    sql`FROM ${table} WHERE ${and(
      owned(table, organizationId, of),
      eq(table.current_state, "open"),
      seen === undefined ? undefined : eq(table.version_number, seen),
      attribution === "link_only" ? hasRoom(organizationId, of) : undefined,
    )}`,
  );
  const [record, deliverable] = await changeInReview(
    context,
    { action: "deliverable.feedback_recorded", subjectId: of, details: { feedback_id: id, kind: said.kind } },
    { id, insert },
    [findFeedback(organizationId, id), deliverableResource.read(organizationId, of)],
  );
  if (!deliverable) return noSuch("deliverable", of);
  return record ? { ...record, deliverable } : whyNot(deliverable, seen);
}

/** Whether the review has room for one more of a day's comments from visitors who came by its bare link. */
function hasRoom(organizationId: string, deliverableId: string): SQL {
  const unconfirmed = and(
    eq(feedback.deliverable_id, deliverableId),
    eq(feedback.organization_id, organizationId),
    gt(feedback.created_at, nowWith("-1 day")),
    eq(feedback.attribution, "link_only"),
  );
  return sql`(SELECT count(*) FROM ${feedback} WHERE ${unconfirmed}) < ${reviewLimits.unconfirmedPerDay}`;
}

/** Why the insert wrote nothing, by the deliverable as it stands behind it. */
function whyNot({ current_state, version_number }: Deliverable, seen = version_number): Refusal {
  if (current_state === "signed_off") return refuse("deliverable_signed_off");
  return refuse(version_number === seen ? "too_many_comments" : "newer_version");
}
