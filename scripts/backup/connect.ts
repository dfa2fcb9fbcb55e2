/** Connects to the local or deployed service that a backup command reads from or restores to. */
import { parseArgs } from "node:util";
import { type AdminConnection, isServing, openAdmin } from "../admin/connection.ts";
import { type Environment, environments } from "../admin/parameters.ts";
import { stateAt } from "../local/state.ts";

/** Most of a call's time is spent waiting for the network. */
export const callsAtOnce = 6;

interface Place {
  environment: Environment | undefined;
  /** Undefined for the first cell, and for a service with one cell. */
  cell: string | undefined;
}

interface BackupCommand extends Place {
  folder: string;
  day: string | undefined;
}

/** Parses `--to` or `--from`, `--day`, `--env` and `--cell`. Throws an error with a message for the user. */
export function readBackupCommand(parameters: string[], folderIs: "to" | "from"): BackupCommand {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: parameters,
    options: { [folderIs]: text, env: text, cell: text, ...(folderIs === "from" && { day: text }) },
  });
  const given = values as Record<string, string | undefined>;
  const folder = given[folderIs];
  if (!folder) throw new Error(`--${folderIs} is required: the folder that holds the backups`);
  const environment = environments.find((known) => known === given.env);
  if (given.env !== undefined && !environment) throw new Error("--env must be production or staging");
  return { folder, day: given.day, environment, cell: given.cell };
}

export type Ask = <T>(operation: string, fields: Record<string, unknown>) => Promise<T>;

/** Runs `work` against a service. A rejected call throws an error. */
export async function withService<T>(
  { environment, cell }: Place,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  const state = stateAt();
  if (!environment && !(await isServing(state)))
    throw new Error(
      `No local server is running (${state.directory}): start one with npm start, or name --env`,
    );
  const connection = await openAdmin(state, environment);
  try {
    return await work(askOf(connection, cell));
  } finally {
    await connection.close();
  }
}

export const askOf =
  (connection: AdminConnection, cell?: string): Ask =>
  async (operation, fields) => {
    const outcome = await connection.run(operation, { ...fields, ...(cell !== undefined && { cell }) });
    if (!outcome.ok) throw new Error(outcome.message);
    return outcome.result as never;
  };

/** Runs a command and prints its result or its error message. */
export async function runBackupCommand(work: () => Promise<string>): Promise<void> {
  try {
    console.log(await work());
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

const progressEveryMs = 2_000;

export function progressOf(what: string, all: number): () => void {
  let [done, toldMs] = [0, Date.now()];
  return () => {
    done += 1;
    if (Date.now() - toldMs < progressEveryMs) return;
    toldMs = Date.now();
    process.stderr.write(`${done} of ${all} ${what} so far\n`);
  };
}
