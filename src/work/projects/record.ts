import * as z from "zod";
import { milestoneStatuses, projectStatuses } from "../../contract/closed-sets.ts";
import {
  clientIdInput,
  currency,
  currencyInput,
  date,
  dateInput,
  id,
  line,
  money,
  moneyInput,
  openEnum,
  optionalText,
  timestamp,
} from "../../contract/fields.ts";
import { limits } from "../../contract/limits.ts";

export const Milestone = z
  .object({
    id,
    name: z.string(),
    position: z.int(),
    status: openEnum(milestoneStatuses),
    due_date: date.nullable(),
    amount: money.nullable(),
  })
  .meta({ id: "Milestone" });

export const Project = z
  .object({
    id,
    client_id: id,
    name: z.string(),
    description: z.string().nullable(),
    status: openEnum(projectStatuses),
    currency,
    included_revision_rounds: z
      .int()
      .nullable()
      .meta({ description: "null if the number of rounds is unlimited" }),
    revision_rounds_used: z.int(),
    start_date: date.nullable(),
    end_date: date.nullable(),
    external_id: z.string().nullable(),
    milestones: z.array(Milestone),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Project" });
export type Project = z.output<typeof Project>;

export const exampleProject: Project = {
  id: "7d0e5b1e-2f6c-4d63-8c0e-1b9a5d0c3f42",
  client_id: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11",
  name: "Website relaunch",
  description: "Design and build",
  status: "active",
  currency: "EUR",
  included_revision_rounds: 2,
  revision_rounds_used: 1,
  start_date: "2026-01-15",
  end_date: "2026-04-30",
  external_id: null,
  milestones: [
    {
      id: "c2a4c3f8-5f7e-4f3b-9d4a-7f6b2f0f9e01",
      name: "Concept",
      position: 0,
      status: "completed",
      due_date: "2026-02-01",
      amount: 2500,
    },
  ],
  created_at: "2026-01-12T08:00:00.000Z",
  updated_at: "2026-01-31T09:30:00.000Z",
};

export const NewProject = z
  .strictObject({
    client_id: clientIdInput,
    name: line(1, limits.nameCharacters),
    description: optionalText(limits.descriptionCharacters),
    currency: currencyInput
      .optional()
      .meta({ description: "An active ISO 4217 code. Default: the workspace's currency" }),
    included_revision_rounds: z
      .int()
      .min(limits.revisionRounds.min)
      .max(limits.revisionRounds.max)
      .optional(),
    start_date: dateInput.optional(),
    end_date: dateInput.optional().meta({ description: "Must not be before `start_date`" }),
    external_id: line(1, limits.externalIdCharacters).optional(),
    milestones: z
      .array(
        z.strictObject({
          name: line(1, limits.nameCharacters),
          due_date: dateInput.optional(),
          amount: moneyInput.min(0).optional(),
        }),
      )
      .max(limits.milestonesOfProject)
      .optional(),
  })
  .refine((project) => !project.start_date || !project.end_date || project.end_date >= project.start_date, {
    error: "end_date must not be before start_date",
  })
  .meta({ id: "NewProject" });
export type NewProject = z.output<typeof NewProject>;

export const RevisionOverride = z.object({
  id,
  project_id: id,
  rounds: z.int(),
  reason: z.string(),
  created_by: id,
  created_at: timestamp,
});

export type RevisionOverride = z.output<typeof RevisionOverride>;
