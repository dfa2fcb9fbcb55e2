import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { ChangeDecision } from "../../contract/workspace/records.ts";
import { findById } from "../../db/query.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";

const insertSql = `
INSERT INTO change_decisions (id, organization_id, project_id, title, kind, status, created_by)
SELECT ?, organization_id, id, ?, ?, 'sent', ? FROM projects WHERE id = ? AND organization_id = ? RETURNING id`;

const findDecision = findById<ChangeDecision>("change_decisions");

/** Asks a client for a change decision, or to pass a milestone gate. */
export async function sendChangeDecision(
  context: AdminContext,
  { project, title, kind }: { project: string; title: string; kind: ChangeDecision["kind"] },
): Promise<ChangeDecision | AdminRefusal> {
  const id = crypto.randomUUID();
  const organizationId = context.organization.id;
  const { record } = await changeWithAudit(context, {
    action: "change_decision.sent",
    subjectId: id,
    details: { project_id: project, title, kind },
    change: { sql: insertSql, params: [id, title, kind, context.actor.id, project, organizationId] },
    read: findDecision(organizationId, id),
  });
  return record ?? noSuch("project", project);
}
