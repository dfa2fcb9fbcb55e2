import type { AdminOperation, AdminOperations } from "../../src/operations/operation.ts";
import { parametersOf } from "../admin/help.ts";
import { rpcName } from "./document.ts";

const head = `# Admin operations

Written by \`npm run openapi\` from the declarations in \`src/operations/\`: change those. \`npm run check\` \
holds it.

Every operation is on the command line (\`npm run admin -- NAME\`), for the operator, who holds the platform's keys. \
Those with a name
under RPC are open to a signed-in owner or admin as well, in their own workspace: \`POST /rpc/NAME\` with the fields \
as JSON (dashes
become underscores; \`organization\`, a slug or id, says which workspace and may be left out by an admin of one \
alone). A field in
brackets may be left out. Operations with a \`key\` change something: with the same key and fields, their work is done \
once; over
RPC the key is the header \`Idempotency-Key\`.

| operation | RPC | fields | does |
| --- | --- | --- | --- |
`;

const rowOf = ([name, operation]: [string, AdminOperation]): string => {
  const fields = parametersOf(operation).replaceAll("|", "\\|");
  const rpc = operation.allowed === "admin" ? `\`${rpcName(name)}\`` : "operator only";
  return `| \`${name}\` | ${rpc} | ${fields === "" ? "" : `\`${fields}\``} | ${operation.summary} |`;
};

export const operationsTable = (operations: AdminOperations): string =>
  `${head}${Object.entries(operations).map(rowOf).join("\n")}\n`;
