import { and, eq, gt, not, type SQL, sql } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import type { Staff } from "../../core/actor.ts";
import type { Context } from "../../core/context.ts";
import type { LedgerEntry } from "../../core/ledger/ledger.ts";
import { build, insertSelect, row } from "../../db/build.ts";
import { nowWith } from "../../db/columns.ts";
import { isIn } from "../../db/is-in.ts";
import { batch, mapped, type Query, run } from "../../db/query.ts";
import { owned } from "../../db/records.ts";
import { newId } from "../../platform/new-id.ts";
import { changeInReview } from "../deliverables/change-in-review.ts";
import { deliverableResource } from "../deliverables/read-deliverables.ts";
import type { Deliverable } from "../deliverables/record.ts";
import { deliverables as table } from "../deliverables/tables.ts";
import type { Attribution, ClientFeedbackKind } from "../visits/review.ts";
import type { ReviewClient } from "../visits/review-client.ts";
import { findFeedback } from "./read-feedback.ts";
import type { Anchor, RecordedFeedback } from "./record.ts";
import { feedback } from "./tables.ts";

/** Feedback on a deliverable. `anchor` is the spot on the image that it refers to. */
interface NewFeedback {
  deliverable: string;
  kind: ClientFeedbackKind;
  body: string;
  author_name: string;
  anchor?: Anchor | undefined;
}

/**
 * Records a client's feedback on the newest version. A client on the review page must have seen that version. A
 * change request changes the review's state.
 */
export async function recordFeedback(
  context: Context<Staff | ReviewClient, "db">,
  { deliverable: of, anchor, ...fields }: NewFeedback,
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
      ...fields,
      attribution,
      anchor_x: anchor?.x,
      anchor_y: anchor?.y,
    },
    sql`FROM ${table} WHERE ${and(
      owned(table, organizationId, of),
      eq(table.current_state, "open"),
      seen === undefined ? undefined : eq(table.version_number, seen),
      hasRoom(organizationId, of),
      attribution === "recorded_by_admin" ? undefined : hasRoomToday(organizationId, of, attribution),
    )}`,
  );
  const [record, deliverable] = await changeInReview(
    context,
    {
      action: "deliverable.feedback_recorded",
      subjectId: of,
      details: { feedback_id: id, kind: fields.kind },
    },
    { id, insert },
    [findFeedback(organizationId, id), deliverableResource.read(organizationId, of)],
  );
  if (!deliverable) return noSuch("deliverable", of);
  if (record) return { ...record, deliverable };
  const isFull = !(await run(context.services.db, roomOf(organizationId, of)));
  return whyNot(deliverable, { seen, isFull, attribution });
}

/** Finds the feedback that the entry's call recorded, and the deliverable's current state. */
export async function feedbackOfEntry(
  { services, organization }: Context<Staff, "db">,
  { subjectId, details }: LedgerEntry,
): Promise<RecordedFeedback | null> {
  const [record, deliverable] = await batch(services.db, [
    findFeedback(organization.id, String(details.feedback_id)),
    deliverableResource.read(organization.id, subjectId),
  ]);
  return record && deliverable && { ...record, deliverable };
}

const ofDeliverable = (organizationId: string, deliverableId: string) =>
  and(eq(feedback.deliverable_id, deliverableId), eq(feedback.organization_id, organizationId));

/** Whether a deliverable is below its limit on comments. */
export function hasRoom(organizationId: string, deliverableId: string): SQL {
  const others = reviewLimits.comments - 1;
  return sql`NOT EXISTS (SELECT 1 FROM ${feedback} WHERE ${ofDeliverable(organizationId, deliverableId)}
    LIMIT 1 OFFSET ${others})`;
}

const roomOf = (organizationId: string, deliverableId: string): Query<boolean> => {
  const room = { has: sql<number>`${hasRoom(organizationId, deliverableId)}`.as("has") };
  return mapped(row(room, build.select(room).from(sql`(SELECT 1)`)), (found) => found?.has === 1);
};

/** Whether the review accepts another comment today from this kind of visitor. */
function hasRoomToday(organizationId: string, deliverableId: string, attribution: Attribution): SQL {
  const isUnconfirmed = attribution === "link_only";
  const today = and(
    ofDeliverable(organizationId, deliverableId),
    gt(feedback.created_at, nowWith("-1 day")),
    isUnconfirmed
      ? eq(feedback.attribution, "link_only")
      : not(isIn(feedback.attribution, ["link_only", "recorded_by_admin"])),
  );
  const perDay = isUnconfirmed ? reviewLimits.unconfirmedPerDay : reviewLimits.confirmedPerDay;
  return sql`(SELECT count(*) FROM ${feedback} WHERE ${today}) < ${perDay}`;
}

interface NotRecorded {
  seen: number | undefined;
  isFull: boolean;
  attribution: Attribution;
}

/** Returns why the insert did not write a row, based on the deliverable's state after it. */
function whyNot(
  { current_state, version_number }: Deliverable,
  { seen = version_number, isFull, attribution }: NotRecorded,
): Refusal {
  if (current_state === "signed_off") return refuse("deliverable_signed_off");
  if (version_number !== seen) return refuse("newer_version");
  if (isFull) return refuse("review_full");
  return refuse(attribution === "link_only" ? "too_many_comments" : "too_many_comments_with_key");
}
