/** Runs one admin operation (docs/operations.md): `npm run admin -- OPERATION --field value … [--json]`. */

import type { AdminOutcome } from "../src/admin/admin.ts";
import { visible } from "../src/contract/characters.ts";
import { type AdminConnection, isServing, openAdmin } from "./admin/connection.ts";
import { ExportFolder } from "./admin/export-folder.ts";
import { help, type Refused, writesFiles } from "./admin/help.ts";
import { inSteps } from "./admin/in-steps.ts";
import { operator } from "./admin/operator.ts";
import { type Command, readCommand } from "./admin/parameters.ts";
import { inWords } from "./admin/print.ts";
import { replayInSteps, replayOperation } from "./admin/replay.ts";
import { stateAt } from "./local/state.ts";

const command = readCommand(process.argv.slice(2));
if (typeof command === "string") {
  refuse({ message: command, hint: "npm run admin -- --help" }, process.argv.includes("--json"));
} else if (command.operation === undefined && command.json && !command.help) {
  refuse({ message: "Name an operation", hint: "npm run admin -- --help" }, true);
} else if (command.help || command.operation === undefined) {
  const text = await help(command.operation);
  if (typeof text === "string") process.stdout.write(text);
  else refuse(text, command.json);
} else {
  await run(command, command.operation);
}

async function run({ fields, json, environment, out }: Command, operation: string): Promise<void> {
  const state = stateAt();
  const folder = out === undefined ? undefined : new ExportFolder(out);
  if (folder && !(await writesFiles(operation)))
    return refuse({ message: `${operation} writes no files: leave out --out`, hint: null }, json);
  if (!environment && !(await isServing(state))) {
    return refuse(
      {
        message: `No local server is running (${state.directory})`,
        hint: "start one with npm start, or name its STATE_DIR",
      },
      json,
    );
  }
  try {
    if (folder && !(await folder.prepare()))
      return refuse({ message: `out is not empty: ${folder.path}`, hint: "name another folder" }, json);
    const connection = await openAdmin(state, environment);
    const asked = {
      ...(environment ? {} : { organization: "demo" }),
      ...fields,
      operator: await operator(environment),
    };
    const outcome = await ask(connection, operation, asked, folder);
    if (!outcome.ok) refuse(outcome, json);
    else
      process.stdout.write(`${json ? visible(JSON.stringify(outcome.result)) : inWords(outcome.result)}\n`);
  } catch (error) {
    const hint = environment ? "npx wrangler login, and deploy first" : "npm start";
    refuse({ message: `The service could not be reached: ${(error as Error).message}`, hint }, json);
  }
}

async function ask(
  connection: AdminConnection,
  operation: string,
  fields: Command["fields"] & { operator: string },
  folder: ExportFolder | undefined,
): Promise<AdminOutcome> {
  try {
    if (operation !== replayOperation) return await inSteps(connection, operation, fields, folder);
    return await replayInSteps(connection.run, fields, (line) => process.stderr.write(`${line}\n`));
  } finally {
    await connection.close();
  }
}

function refuse({ message, hint }: Refused, json: boolean): void {
  process.exitCode = 1;
  if (json) process.stdout.write(`${visible(JSON.stringify({ message, hint }))}\n`);
  else
    process.stderr.write(
      `${asOnCommandLine(visible(message))}${hint === null ? "" : `\n${visible(hint)}`}\n`,
    );
}

/** A field that a message begins with is written as the command line writes it. */
function asOnCommandLine(message: string): string {
  return message.replace(/^[a-z]+(?:_[a-z]+)+/, (field) => `--${field.replaceAll("_", "-")}`);
}
