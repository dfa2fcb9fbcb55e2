import { and, asc, eq, sql } from "drizzle-orm";
import { answerOf } from "../../db/answer.ts";
import { build, type Placeholders, prepared, rows } from "../../db/build.ts";
import { mapped, type Query } from "../../db/query.ts";
import { records } from "../../db/records.ts";
import { organizationOf } from "../../workspace/tokens/organization-of.ts";
import { deliverables } from "../deliverables/tables.ts";
import { Anchor, Feedback } from "./record.ts";
import { feedback } from "./tables.ts";

/** A feedback row's anchor as JSON, which `withAnchor` parses. */
const anchorField = {
  anchor: sql<string | null>`iif(${feedback.anchor_x} IS NULL, NULL,
    json_object('x', ${feedback.anchor_x}, 'y', ${feedback.anchor_y}))`.as("anchor"),
};

const withAnchor = <R extends { anchor: string | null }>(found: R) => ({
  ...found,
  anchor: found.anchor === null ? null : Anchor.parse(JSON.parse(found.anchor)),
});

const { selection, read } = answerOf(feedback, Feedback, anchorField);

const recorded = records(feedback, Feedback, anchorField);

/** Finds a feedback row to return as the result of a write. */
export const findFeedback = (organizationId: string, id: string) =>
  mapped(recorded.find(organizationId, id), (found) => found && withAnchor(found));

/** The start of a feedback page, in the order (created_at, id). */
interface FeedbackPage {
  tokenHash: string;
  id: string;
  createdAt: string;
  feedbackId: string;
  limit: number;
}

const findPage = prepared((bind: Placeholders<FeedbackPage>) => {
  const ofDeliverable = and(
    eq(feedback.deliverable_id, deliverables.id),
    eq(feedback.organization_id, deliverables.organization_id),
    sql`(${feedback.created_at}, ${feedback.id}) >= (${bind.createdAt}, ${bind.feedbackId})`,
  );
  const organization = organizationOf(bind.tokenHash, "deliverable:read");
  return rows(
    selection,
    build
      .select(selection)
      .from(deliverables)
      .leftJoin(feedback, ofDeliverable)
      .where(and(eq(deliverables.id, bind.id), eq(deliverables.organization_id, organization)))
      .orderBy(asc(feedback.created_at), asc(feedback.id))
      .limit(bind.limit),
  );
});

/** Reads the feedback starting at a position; null if the organization has no such deliverable. */
export const feedbackPage = (page: FeedbackPage): Query<Feedback[] | null> =>
  mapped(findPage(page), (found) =>
    // A deliverable without matching feedback returns a single row of nulls.
    found.length === 0 ? null : found.filter(({ id }) => id !== null).map((one) => withAnchor(read(one))),
  );
