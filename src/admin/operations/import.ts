import * as z from "zod";
import { importWorkspace } from "../import/import-workspace.ts";
import type { WorkspaceDocument } from "../import/workspace-document.ts";
import { type Operations, operation } from "../operation.ts";

export const importOperations: Operations = {
  "import-workspace": operation({
    summary: "Fill an empty workspace from one document (scripts/demo-workspace.ts is one)",
    deed: "import workspaces",
    unlisted: true,
    input: z.strictObject({ document: z.custom<WorkspaceDocument>((value) => typeof value === "object") }),
    answer: z.object({ clients: z.int() }),
    run: (context, { document }) => importWorkspace(context, document),
  }),
};
