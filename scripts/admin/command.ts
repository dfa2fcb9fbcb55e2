import { escapeControls } from "../../src/contract/characters.ts";
import type { AdminOutcome } from "../../src/operations/admin.ts";
import { stateAt } from "../local/state.ts";
import { type AdminConnection, isServing, openAdmin } from "./connection.ts";
import { ExportFolder, UnusableFolder } from "./export-folder.ts";
import type { Refused } from "./help.ts";
import { operator } from "./operator.ts";
import { type Command, readCommand } from "./parameters.ts";
import { inWords, refusalInWords } from "./print.ts";
import { replayInSteps, replayOperation } from "./replay.ts";
import { runSteps } from "./run-steps.ts";

/** Runs `npm run admin`, prints the result or the error, and returns the exit code. */
export async function adminCommand(
  parameters: readonly string[],
  open = openAdmin,
  operatorOf = operator,
): Promise<number> {
  const command = readCommand(parameters);
  if (typeof command === "string")
    return refuse({ message: command, hint: "npm run admin -- --help" }, parameters.includes("--json"));
  if (command.operation === undefined && command.json && !command.help)
    return refuse({ message: "No operation given", hint: "npm run admin -- --help" }, true);
  if (command.operation !== undefined && !command.help)
    return run(command, command.operation, open, operatorOf);
  const { help } = await aboutOperations();
  const text = await help(command.operation);
  if (typeof text !== "string") return refuse(text, command.json);
  process.stdout.write(text);
  return 0;
}

/** Imported on demand, because running one operation does not need the schemas of all operations. */
const aboutOperations = () => import("./help.ts");

async function run(
  { fields, json, environment, out }: Command,
  operation: string,
  open: typeof openAdmin,
  operatorOf: typeof operator,
): Promise<number> {
  const state = stateAt();
  const folder = out === undefined ? undefined : new ExportFolder(out);
  if (folder && !(await (await aboutOperations()).writesFiles(operation)))
    return refuse({ message: `${operation} writes no files. Omit --out`, hint: null }, json);
  if (!environment && !(await isServing(state))) {
    return refuse(
      {
        message: `No local server is running (${state.directory})`,
        hint: "start one with npm start, or set its STATE_DIR",
      },
      json,
    );
  }
  try {
    if (folder && !(await folder.isFree()))
      return refuse({ message: `out is not empty: ${folder.path}`, hint: "name another folder" }, json);
    const connection = await open(state, environment);
    const asked = {
      ...(environment ? {} : { organization: "demo" }),
      ...fields,
      operator: await operatorOf(environment),
    };
    const outcome = await ask(connection, operation, asked, folder);
    if (!outcome.ok) return refuse(outcome, json);
    process.stdout.write(
      `${json ? escapeControls(JSON.stringify(outcome.result)) : inWords(outcome.result)}\n`,
    );
    return 0;
  } catch (error) {
    if (error instanceof UnusableFolder)
      return refuse({ message: error.message, hint: "name another folder" }, json);
    const hint = environment ? "npx wrangler login, and deploy first" : "npm start";
    return refuse({ message: `The service could not be reached: ${(error as Error).message}`, hint }, json);
  }
}

async function ask(
  connection: AdminConnection,
  operation: string,
  fields: Command["fields"] & { operator: string },
  folder: ExportFolder | undefined,
): Promise<AdminOutcome> {
  try {
    const tell = (line: string) => process.stderr.write(`${line}\n`);
    if (operation === "import-organization") {
      const { importFolder } = await import("./import-folder.ts");
      return await importFolder(connection.run, fields, tell);
    }
    if (operation !== replayOperation) return await runSteps(connection, operation, fields, folder);
    return await replayInSteps(connection.run, fields, tell);
  } finally {
    await connection.close();
  }
}

function refuse({ message, hint }: Refused, json: boolean): number {
  if (json) process.stdout.write(`${escapeControls(JSON.stringify({ message, hint }))}\n`);
  else process.stderr.write(`${refusalInWords({ message, hint })}\n`);
  return 1;
}
