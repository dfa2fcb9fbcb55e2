import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { Project } from "../../contract/resources/project.ts";
import { build } from "../../db/build.ts";
import { owned } from "../../db/records.ts";
import { milestones } from "../../db/schema/work.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { findProjectOfMilestone } from "./read-projects.ts";

/** Moves a milestone on, or back; answers its project. */
export async function setMilestoneStatus(
  context: AdminContext,
  id: string,
  status: Project["milestones"][number]["status"],
): Promise<Project | AdminRefusal> {
  const organizationId = context.organization.id;
  const { record } = await changeWithAudit(context, {
    action: "milestone.status_set",
    subjectId: id,
    details: { status },
    change: build
      .update(milestones)
      .set({ status })
      .where(owned(milestones, organizationId, id))
      .returning({ id: milestones.id }),
    read: findProjectOfMilestone(organizationId, id),
  });
  return record ?? noSuch("milestone", id);
}
