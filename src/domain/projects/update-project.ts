import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { Project } from "../../contract/resources/project.ts";
import { assignments } from "../assignments.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { projects } from "./read-projects.ts";

/** What may be changed of a project; null clears, undefined leaves as it is. */
export interface ProjectChanges {
  name?: string;
  description?: string | null;
  status?: Project["status"];
  included_revision_rounds?: number | null;
  start_date?: string | null;
  end_date?: string | null;
  external_id?: string | null;
}

export async function updateProject(
  context: AdminContext,
  id: string,
  changes: ProjectChanges,
): Promise<Project | AdminRefusal> {
  const organizationId = context.organization.id;
  const { sql, params } = assignments({ ...changes });
  const { record } = await changeWithAudit(context, {
    action: "project.updated",
    subjectId: id,
    details: { fields: Object.keys(changes) },
    change: {
      sql: `UPDATE projects SET ${sql} WHERE id = ? AND organization_id = ? RETURNING id`,
      params: [...params, id, organizationId],
    },
    read: projects.read(organizationId, id),
  });
  return record ?? noSuch("project", id);
}
