import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../scripts/local/port.ts";
import { announcedServer, type LocalServer, stateAt } from "../../scripts/local/state.ts";

const script = (name: string) => join(import.meta.dirname, "..", "..", "scripts", name);

export function stateDirectory(): { directory: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), "partner-api-test-"));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

export interface Service {
  child: ChildProcess;
  port: number;
  server: LocalServer;
  output(): string;
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Far longer than a start takes, so that tests also pass on a busy machine. */
const startWithinMs = 240_000;
const pollMs = 50;

interface Start {
  child: ChildProcess;
  output(): string;
  ended: Promise<number | null>;
}

function start(directory: string, port: number): Start {
  const child = spawn(process.execPath, [script("start.ts")], {
    env: { ...process.env, STATE_DIR: directory, PORT: String(port), npm_lifecycle_event: undefined },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      printed += chunk;
    });
  }
  return {
    child,
    output: () => printed,
    ended: new Promise((resolve) => child.on("close", resolve)),
  };
}

async function until<T>({ child, output }: Start, look: () => T | null | false): Promise<T> {
  for (const end = Date.now() + startWithinMs; Date.now() < end && child.exitCode === null; ) {
    const found = look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  child.kill("SIGKILL");
  throw new Error(`the service did not start:\n${output()}`);
}

export async function startService(directory: string, port?: number): Promise<Service> {
  const chosen = port ?? (await freePort());
  const started = start(directory, chosen);
  const { child, output, ended } = started;
  // local.json is written just before the last lines are printed.
  const server = await until(
    started,
    () => output().includes("Ctrl-C") && announcedServer(stateAt(directory)),
  );
  return {
    child,
    port: chosen,
    server,
    output,
    end: (signal = "SIGTERM") => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Starts a service, stops it once it has printed `text`, and resolves with the exit code. */
export async function startAndEnd(
  directory: string,
  text: string,
  signal: NodeJS.Signals,
): Promise<number | null> {
  const started = start(directory, await freePort());
  await until(started, () => started.output().includes(text));
  started.child.kill(signal);
  return started.ended;
}

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

const endWithinMs = 240_000;

/** Runs a script to completion, like the npm script of the same name. */
export async function runCommand(
  name: string,
  parameters: readonly string[],
  directory: string,
): Promise<Finished> {
  const env = { ...process.env, STATE_DIR: directory, npm_lifecycle_event: undefined };
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ["--no-warnings", script(name), ...parameters],
      { env, timeout: endWithinMs },
    );
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as Finished;
    return { code, stdout, stderr };
  }
}
