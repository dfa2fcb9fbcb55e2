import * as z from "zod";
import { milestoneStatuses, projectStatuses } from "../../contract/closed-sets.ts";
import { dateInput, idInput, text } from "../../contract/fields.ts";
import { limits } from "../../contract/limits.ts";
import { Project } from "../../contract/resources/project.ts";
import { RevisionOverride } from "../../contract/workspace/records.ts";
import { recordRevisionOverride } from "../../domain/projects/record-revision-override.ts";
import { setMilestoneStatus } from "../../domain/projects/set-milestone-status.ts";
import { updateProject } from "../../domain/projects/update-project.ts";
import { clearable, number } from "../fields.ts";
import { nothingToChange, type Operations, operation } from "../operation.ts";

export const projectOperations: Operations = {
  "update-project": operation({
    summary: "Change fields of a project; an empty text clears one",
    action: "update projects",
    input: z.strictObject({
      id: idInput,
      name: text(1, 200).optional(),
      description: clearable(text(0, 5000)).optional(),
      status: z.enum(projectStatuses).optional(),
      included_revision_rounds: clearable(
        number(z.int().min(limits.revisionRounds.min).max(limits.revisionRounds.max)),
      ).optional(),
      start_date: clearable(dateInput).optional(),
      end_date: clearable(dateInput).optional(),
      external_id: clearable(text(1, 200)).optional(),
    }),
    answer: Project,
    async run(context, { id, ...changes }) {
      return nothingToChange(changes) ?? updateProject(context, id, changes);
    },
  }),

  "set-milestone-status": operation({
    summary: "Move a milestone; answers its project",
    action: "update projects",
    input: z.strictObject({ id: idInput, status: z.enum(milestoneStatuses) }),
    answer: Project,
    run: (context, { id, status }) => setMilestoneStatus(context, id, status),
  }),

  "record-revision-override": operation({
    summary: "Grant a project more revision rounds than it includes",
    action: "record revision overrides",
    input: z.strictObject({
      project: idInput,
      rounds: number(z.int().min(limits.overrideRounds.min).max(limits.overrideRounds.max)),
      reason: text(1, 1000),
    }),
    answer: RevisionOverride,
    run: recordRevisionOverride,
  }),
};
