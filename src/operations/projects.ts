import * as z from "zod";
import { changesOf, hasChanges } from "../contract/changes.ts";
import { idInput, text } from "../contract/fields.ts";
import { limits } from "../contract/limits.ts";
import { refuse } from "../contract/refusal.ts";
import { run } from "../db/query.ts";
import { findProjectOfMilestone, projectResource } from "../work/projects/read-projects.ts";
import { Milestone, NewProject, Project, RevisionOverride } from "../work/projects/record.ts";
import { findRevisionOverride, recordRevisionOverride } from "../work/projects/record-revision-override.ts";
import { setMilestoneStatus } from "../work/projects/set-milestone-status.ts";
import { updateProject } from "../work/projects/update-project.ts";
import { type AdminOperations, bySubject, workspaceOperation } from "./operation.ts";

/** An update cannot change the client, the currency or the list of milestones. */
const { client_id: _, currency: __, milestones: ___, ...changeable } = NewProject.shape;

export const projectOperations: AdminOperations = {
  "update-project": workspaceOperation({
    summary: "Change a project's fields; an empty string clears a field",
    action: "update projects",
    input: z.strictObject({
      id: idInput,
      ...changesOf(changeable),
      status: Project.shape.status.optional(),
    }),
    answer: Project,
    async run(context, { id, ...changes }) {
      return hasChanges(changes) ? updateProject(context, id, changes) : refuse("nothing_to_change");
    },
    again: bySubject(projectResource.read),
  }),

  "set-milestone-status": workspaceOperation({
    summary: "Change a milestone's status, and return its project",
    action: "update projects",
    input: z.strictObject({ id: idInput, status: Milestone.shape.status }),
    answer: Project,
    run: (context, { id, status }) => setMilestoneStatus(context, id, status),
    again: bySubject(findProjectOfMilestone),
  }),

  "record-revision-override": workspaceOperation({
    summary: "Grant a project additional revision rounds",
    action: "record revision overrides",
    input: z.strictObject({
      project: idInput,
      rounds: z.int().min(limits.overrideRounds.min).max(limits.overrideRounds.max),
      reason: text(1, limits.reasonCharacters),
    }),
    answer: RevisionOverride,
    run: recordRevisionOverride,
    again: ({ services, organization }, { details }) =>
      run(services.db, findRevisionOverride(organization.id, String(details.override_id))),
  }),
};
