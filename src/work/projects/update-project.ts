import { noSuch, type Refusal } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeRecord } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { projectResource } from "./read-projects.ts";
import type { Project } from "./record.ts";
import { projects as table } from "./tables.ts";

/** Updates a project's columns. Null clears a column, and undefined leaves it unchanged. */
export async function updateProject(
  context: Context<Staff, "db">,
  id: string,
  changes: Partial<typeof table.$inferInsert>,
): Promise<Project | Refusal> {
  const { record } = await changeRecord(context, table, id, {
    action: "project.updated",
    details: { fields: Object.keys(changes) },
    set: changes,
    find: projectResource.read,
  });
  return record ?? noSuch("project", id);
}
