import { noSuch, type Refusal } from "../../contract/refusal.ts";
import type { Project } from "../../contract/resources/project.ts";
import { projects as table } from "../../db/schema/work.ts";
import type { Staff } from "../actor.ts";
import { changeRecord } from "../audited-change.ts";
import type { Context } from "../context.ts";
import { projectResource } from "./read-projects.ts";

/** Changes columns of a project; null clears one, undefined leaves it as it is. */
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
