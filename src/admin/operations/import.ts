import * as z from "zod";
import { importWorkspace } from "../import/import-workspace.ts";
import type { ClientDocument } from "../import/workspace-document.ts";
import { type AdminOperations, workspaceOperation } from "../operation.ts";

/** The fields of each are judged as they are imported. */
const isObject = (value: unknown) => typeof value === "object" && value !== null;

export const importOperations: AdminOperations = {
  "import-workspace": workspaceOperation({
    summary: "Fill an empty workspace from one document (scripts/demo-workspace.ts is one)",
    action: "import workspaces",
    unlisted: true,
    input: z.strictObject({
      document: z.strictObject({ clients: z.array(z.custom<ClientDocument>(isObject)) }),
    }),
    answer: z.object({ clients: z.int() }),
    run: (context, { document }) => importWorkspace(context, document),
  }),
};
