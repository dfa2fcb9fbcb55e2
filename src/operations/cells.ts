import { sql } from "drizzle-orm";
import * as z from "zod";
import { idInput } from "../contract/fields.ts";
import { beginMove, MoveOutcome } from "../lifecycle/move/begin.ts";
import { publishOldLinks } from "../lifecycle/old-links.ts";
import { readCell } from "../workspace/directory/read-cell.ts";
import { rebuildStep } from "../workspace/directory/rebuild.ts";
import { ListedCell, RebuiltStep } from "../workspace/directory/record.ts";
import { type AdminOperations, platformOperation, workspaceOperation } from "./operation.ts";

/** In a service with several cells, the front calls these operations on every cell (src/front/admin.ts). */
export const cellOperations: AdminOperations = {
  "list-cells": platformOperation({
    summary: "List the cells with their database sizes",
    reads: true,
    input: z.strictObject({}),
    answer: z.array(ListedCell),
    run: async ({ services }) => [await readCell(services)],
  }),

  "move-organization": workspaceOperation({
    summary:
      "Move the workspace to another cell while it stays in use; `--back true` cancels an unfinished move",
    action: "move it",
    allowed: "operator",
    worksWhileMoving: true,
    input: z.strictObject({
      to: z.string().optional(),
      back: z.boolean().optional(),
      dry_run: z.boolean().optional(),
      position: z.string().max(2000).optional(),
    }),
    answer: MoveOutcome,
    run: beginMove,
    isSafeToRetry: true,
  }),

  "find-leftovers": workspaceOperation({
    summary: "List the data of the workspace that is still in other cells",
    action: "look for it",
    allowed: "operator",
    reads: true,
    worksWhileMoving: true,
    input: z.strictObject({}),
    answer: z.array(z.object({ cell: z.string(), kind: z.string(), count: z.int() })),
    run: async () => [],
  }),

  "rebuild-directory": platformOperation({
    summary: "Rebuild the directory from all cells, after it was lost or when a second cell is added",
    input: z.strictObject({ position: idInput.optional() }),
    answer: RebuiltStep,
    run: async ({ services }, { position = "" }) => {
      const step = await rebuildStep(services, position);
      await publishOldLinks(
        services,
        (id) => sql`${id} > ${position} AND ${id} <= coalesce(${step.next}, ${id})`,
      );
      return step;
    },
    isSafeToRetry: true,
  }),
};
