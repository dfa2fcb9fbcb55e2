import { sql } from "drizzle-orm";
import { noSuch, type Refusal } from "../../contract/refusal.ts";
import { Feedback } from "../../contract/resources/feedback.ts";
import type { RecordedFeedback } from "../../contract/workspace/records.ts";
import { insertSelect } from "../../db/build.ts";
import { owned, records } from "../../db/records.ts";
import { feedback, deliverables as table } from "../../db/schema/review.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { deliverableResource } from "./read-deliverables.ts";

const { find } = records(feedback, Feedback, {});

/** Records what a client said of the newest version. A change request moves the review state. */
export async function recordFeedback(
  context: AdminContext,
  { deliverable: of, ...said }: Pick<Feedback, "kind" | "body" | "author_name"> & { deliverable: string },
): Promise<RecordedFeedback | Refusal> {
  const id = crypto.randomUUID();
  const organizationId = context.organization.id;
  const change = insertSelect(
    feedback,
    {
      id,
      organization_id: organizationId,
      deliverable_id: of,
      version_number: sql`${table.version_number}`,
      ...said,
    },
    sql`FROM ${table} WHERE ${owned(table, organizationId, of)}`,
  );
  const [record, deliverable] = await changeWithAudit(
    context,
    { action: "deliverable.feedback_recorded", subjectId: of, details: { feedback_id: id, kind: said.kind } },
    change,
    [find(organizationId, id), deliverableResource.read(organizationId, of)],
  );
  return record && deliverable ? { ...record, deliverable } : noSuch("deliverable", of);
}
