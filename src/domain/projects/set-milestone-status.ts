import { noSuch, type Refusal } from "../../contract/refusal.ts";
import type { Project } from "../../contract/resources/project.ts";
import { milestones } from "../../db/schema/work.ts";
import type { Staff } from "../actor.ts";
import { changeRecord } from "../audited-change.ts";
import type { Context } from "../context.ts";
import { findProjectOfMilestone } from "./read-projects.ts";

/** Moves a milestone forward or back and answers with its project. */
export async function setMilestoneStatus(
  context: Context<Staff, "db">,
  id: string,
  status: Project["milestones"][number]["status"],
): Promise<Project | Refusal> {
  const { record } = await changeRecord(context, milestones, id, {
    action: "milestone.status_set",
    details: { status },
    set: { status },
    find: findProjectOfMilestone,
  });
  return record ?? noSuch("milestone", id);
}
