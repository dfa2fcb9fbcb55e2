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
    .meta({ description: "The region of the cell's database; null if Cloudflare chose it" }),
  state: z
    .enum(["open", "full", "closed"])
    .meta({ description: "`open` if the cell accepts new workspaces" }),
  organizations: z.int(),
  bytes: z.int().meta({ description: "The size of the cell's database" }),
  schema: z.string().nullable().meta({ description: "The newest migration of the cell's database" }),
});
export type ListedCell = z.output<typeof ListedCell>;

export const RebuiltStep = z.object({
  organizations: z.int().meta({ description: "The number of workspaces whose entries were written" }),
  deleted: z
    .int()
    .meta({ description: "The number of entries deleted because their workspace no longer exists" }),
  next: z
    .string()
    .nullable()
    .meta({ description: "The `position` for the next step; null after the last step" }),
});
export type RebuiltStep = z.output<typeof RebuiltStep>;
