import * as z from "zod";

/** This Worker's cell, in a service with several cells. */
export interface OwnCell {
  name: string;
  /** The names of all cells. The first cell gets requests that belong to none. */
  names: readonly string[];
  /** Maps workspaces to cells (src/front/migrations). */
  directory: D1Database;
}

/** A cell, as operators see it. */
export const ListedCell = z.object({
  name: z.string(),
  region: z
    .string()
    .nullable()
    .meta({ description: "The region of its database; null if the platform chose it" }),
  state: z.enum(["open", "full", "closed"]).meta({ description: "Whether it accepts new workspaces" }),
  organizations: z.int(),
  bytes: z.int().meta({ description: "Size of its database" }),
  schema: z.string().nullable().meta({ description: "Its newest migration" }),
});
export type ListedCell = z.output<typeof ListedCell>;

export const RebuiltStep = z.object({
  organizations: z.int().meta({ description: "Workspaces whose entries were written" }),
  deleted: z.int().meta({ description: "Deleted entries of workspaces that no longer exist" }),
  next: z
    .string()
    .nullable()
    .meta({ description: "The `position` for the next step; null after the last step" }),
});
export type RebuiltStep = z.output<typeof RebuiltStep>;
