import { type AdminRefusal, noSuch } from "../../catalogue/admin-refusals.ts";
import type { Project } from "../../catalogue/resources/project.ts";
import { type Acting, act } from "../acting.ts";
import { findProjectOfMilestone } from "./read-projects.ts";

/** Moves a milestone on, or back; answers its project. */
export async function setMilestoneStatus(
  acting: Acting,
  id: string,
  status: Project["milestones"][number]["status"],
): Promise<Project | AdminRefusal> {
  const organizationId = acting.organization.id;
  const { record } = await act(acting, {
    action: "milestone.status_set",
    subjectId: id,
    details: { status },
    change: {
      sql: "UPDATE milestones SET status = ? WHERE id = ? AND organization_id = ? RETURNING id",
      params: [status, id, organizationId],
    },
    read: findProjectOfMilestone(organizationId, id),
  });
  return record ?? noSuch("milestone", id);
}
