import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { Project } from "../../contract/resources/project.ts";
import { build } from "../../db/build.ts";
import { owned } from "../../db/records.ts";
import { projects as table } from "../../db/schema/work.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { projects } from "./read-projects.ts";

/** Changes columns of a project; null clears one, undefined leaves it as it is. */
export async function updateProject(
  context: AdminContext,
  id: string,
  changes: Partial<typeof table.$inferInsert>,
): Promise<Project | AdminRefusal> {
  const organizationId = context.organization.id;
  const { record } = await changeWithAudit(context, {
    action: "project.updated",
    subjectId: id,
    details: { fields: Object.keys(changes) },
    change: build
      .update(table)
      .set(changes)
      .where(owned(table, organizationId, id))
      .returning({ id: table.id }),
    read: projects.read(organizationId, id),
  });
  return record ?? noSuch("project", id);
}
