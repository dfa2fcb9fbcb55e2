import { noSuch, type Refusal } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeRecord } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { findProjectOfMilestone } from "./read-projects.ts";
import type { Project } from "./record.ts";
import { milestones } from "./tables.ts";

/** Moves a milestone forward or back and returns its project. */
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
