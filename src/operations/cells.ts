import * as z from "zod";
import { readCell } from "../workspace/directory/read-cell.ts";
import { rebuildStep } from "../workspace/directory/rebuild.ts";
import { ListedCell, RebuiltStep } from "../workspace/directory/record.ts";
import { type AdminOperations, platformOperation } from "./operation.ts";

/** In a service with several cells, the front calls these operations in each of them (src/front/admin.ts). */
export const cellOperations: AdminOperations = {
  "list-cells": platformOperation({
    summary: "List the cells with their database sizes",
    reads: true,
    input: z.strictObject({}),
    answer: z.array(ListedCell),
    run: async ({ services }) => [await readCell(services)],
  }),

  "rebuild-directory": platformOperation({
    summary: "Rebuild the directory from the cells, after it was lost or when a second cell is added",
    input: z.strictObject({ position: z.string().max(2000).optional() }),
    answer: RebuiltStep,
    run: ({ services }, { position }) => rebuildStep(services, position),
    isSafeToRetry: true,
  }),
};
