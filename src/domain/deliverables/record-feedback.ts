import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { Feedback } from "../../contract/workspace/records.ts";
import { findById, run } from "../../db/query.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { deliverables } from "./read-deliverables.ts";

const insertSql = `
INSERT INTO feedback (id, organization_id, deliverable_id, version_number, kind, body, author_name)
SELECT ?, organization_id, id, version_number, ?, ?, ? FROM deliverables WHERE id = ? AND organization_id = ? RETURNING id`;

const findFeedback = findById<Omit<Feedback, "deliverable">>("feedback");

/** What a client said of the newest version; a change request moves the review state. */
export async function recordFeedback(
  context: AdminContext,
  input: { deliverable: string; kind: Feedback["kind"]; body: string; author_name: string },
): Promise<Feedback | AdminRefusal> {
  const id = crypto.randomUUID();
  const organizationId = context.organization.id;
  const { record } = await changeWithAudit(context, {
    action: "deliverable.feedback_recorded",
    subjectId: input.deliverable,
    details: { feedback_id: id, kind: input.kind },
    change: {
      sql: insertSql,
      params: [id, input.kind, input.body, input.author_name, input.deliverable, organizationId],
    },
    read: findFeedback(organizationId, id),
  });
  const deliverable = await run(context.db, deliverables.read(organizationId, input.deliverable));
  return record && deliverable ? { ...record, deliverable } : noSuch("deliverable", input.deliverable);
}
