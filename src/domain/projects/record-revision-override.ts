import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { RevisionOverride } from "../../contract/workspace/records.ts";
import { findById } from "../../db/query.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";

const insertSql = `
INSERT INTO revision_overrides (id, organization_id, project_id, rounds, reason, created_by)
SELECT ?, organization_id, id, ?, ?, ? FROM projects WHERE id = ? AND organization_id = ? RETURNING id`;

const findOverride = findById<RevisionOverride>("revision_overrides");

/** Grants a project more revision rounds than it includes. */
export async function recordRevisionOverride(
  context: AdminContext,
  { project, rounds, reason }: { project: string; rounds: number; reason: string },
): Promise<RevisionOverride | AdminRefusal> {
  const id = crypto.randomUUID();
  const organizationId = context.organization.id;
  const { record } = await changeWithAudit(context, {
    action: "project.revision_override_recorded",
    subjectId: project,
    details: { rounds, reason },
    change: { sql: insertSql, params: [id, rounds, reason, context.actor.id, project, organizationId] },
    read: findOverride(organizationId, id),
  });
  return record ?? noSuch("project", project);
}
