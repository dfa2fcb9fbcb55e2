import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import { insertSelect } from "../../db/build.ts";
import { nowWith } from "../../db/columns.ts";
import { owned, records } from "../../db/records.ts";
import { newId } from "../../platform/new-id.ts";
import type { ReviewClient, Staff } from "../../workspace/actor.ts";
import type { Context } from "../../workspace/context.ts";
import { changeInReview } from "../deliverables/change-in-review.ts";
import { deliverableResource } from "../deliverables/read-deliverables.ts";
import type { Deliverable } from "../deliverables/record.ts";
import { deliverables as table } from "../deliverables/tables.ts";
import type { RecordedFeedback } from "./record.ts";
import { Feedback } from "./record.ts";
import { feedback } from "./tables.ts";

const { find } = records(feedback, Feedback, {});

/**
 * Records what a client said of the newest version; on the review's page, if it is the one that they saw. A change
 * request moves the review state.
 */
export async function recordFeedback(
  context: Context<Staff | ReviewClient, "db">,
  { deliverable: of, ...said }: Pick<Feedback, "kind" | "body" | "author_name"> & { deliverable: string },
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
    [find(organizationId, id), deliverableResource.read(organizationId, of)],
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
