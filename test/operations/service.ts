import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../scripts/local/port.ts";
import { announcedServer, type LocalServer, stateAt } from "../../scripts/local/state.ts";

const script = (name: string) => join(import.meta.dirname, "..", "..", "scripts", name);

/** A STATE_DIR of its own; `remove` takes it away. */
export function stateDirectory(): { directory: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), "partner-api-test-"));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

export interface Service {
  child: ChildProcess;
  port: number;
  server: LocalServer;
  output(): string;
  /** Ends it by a signal and resolves with its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

const startWithinMs = 100_000;
const pollMs = 50;

/** What `npm start` does, as a process of its own. */
export async function startService(directory: string, port?: number): Promise<Service> {
  const chosen = port ?? (await freePort());
  const child = spawn(process.execPath, [script("start.ts")], {
    env: { ...process.env, STATE_DIR: directory, PORT: String(chosen), npm_lifecycle_event: undefined },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  child.stderr.on("data", (chunk) => {
    printed += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const server = await untilAnnounced(directory, child, () => printed);
  return {
    child,
    port: chosen,
    server,
    output: () => printed,
    end: (signal = "SIGTERM") => {
      child.kill(signal);
      return ended;
    },
  };
}

async function untilAnnounced(
  directory: string,
  child: ChildProcess,
  printed: () => string,
): Promise<LocalServer> {
  for (const until = Date.now() + startWithinMs; Date.now() < until && child.exitCode === null; ) {
    const server = announcedServer(stateAt(directory));
    // The announcement comes just before the last lines.
    if (server && printed().includes("Ctrl-C")) return server;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  child.kill("SIGKILL");
  throw new Error(`the service did not start:\n${printed()}`);
}

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

const endWithinMs = 100_000;

/** Runs a script to its end, as the npm script of the same name does. */
export async function run(name: string, parameters: readonly string[], directory: string): Promise<Finished> {
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
