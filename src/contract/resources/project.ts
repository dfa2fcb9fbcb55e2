import * as z from "zod";
import { milestoneStatuses, projectStatuses } from "../closed-sets.ts";
import {
  currency,
  currencyInput,
  date,
  dateInput,
  id,
  idInput,
  money,
  moneyInput,
  text,
  timestamp,
} from "../fields.ts";
import { limits } from "../limits.ts";

export const Milestone = z
  .object({
    id,
    name: z.string(),
    position: z.int(),
    status: z.enum(milestoneStatuses),
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
    status: z.enum(projectStatuses),
    currency,
    included_revision_rounds: z.int().nullable().meta({ description: "null: no allowance" }),
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

export const NewProject = z
  .strictObject({
    client_id: idInput,
    name: text(1, 200),
    description: text(0, 5000).optional(),
    currency: currencyInput.optional().meta({ description: "Default: the organization's" }),
    included_revision_rounds: z
      .int()
      .min(limits.revisionRounds.min)
      .max(limits.revisionRounds.max)
      .optional(),
    start_date: dateInput.optional(),
    end_date: dateInput.optional().meta({ description: "Not before start_date" }),
    external_id: text(1, 200).optional(),
    milestones: z
      .array(
        z.strictObject({
          name: text(1, 200),
          due_date: dateInput.optional(),
          amount: moneyInput.min(0).optional(),
        }),
      )
      .max(100)
      .optional(),
  })
  .refine((project) => !project.start_date || !project.end_date || project.end_date >= project.start_date, {
    error: "end_date must not be before start_date",
  })
  .meta({ id: "NewProject" });
export type NewProject = z.output<typeof NewProject>;
