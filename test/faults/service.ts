import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { localGatewayKey } from "../../scripts/local/gateway-key.ts";
import { workerBuild } from "../../scripts/local/worker-build.ts";

interface Addresses {
  baseUrl: string;
  toolsUrl: string;
}

export interface RunningService extends Addresses {
  call(path: string, options: { token: string; body: object; key: string }): Promise<Response>;
  deliver(payload: string, signature: string): Promise<Response>;
  /** Runs an admin operation, and throws if it is rejected. */
  admin<T>(operation: string, fields: Record<string, unknown>): Promise<T>;
  sql<T>(sql: string, ...params: unknown[]): Promise<T[]>;
  minute(): Promise<unknown>;
}

export interface KillableService extends RunningService {
  /** Sends SIGKILL to workerd and its parent process. */
  kill(): Promise<void>;
}

interface TemporaryService extends KillableService, AsyncDisposable {
  /** Starts the killed service again, on the same state. */
  restart(): Promise<void>;
}

const root = join(import.meta.dirname, "..", "..");

/** Bundles the Worker into one JavaScript file, like `wrangler deploy`. */
export async function bundleInto(
  directory: string,
  sources = root,
  plugins: Plugin[] = [],
  entry = "worker.ts",
): Promise<string> {
  const outfile = join(directory, entry.replace("/", "-").replace(".ts", ".js"));
  await build({
    ...workerBuild,
    entryPoints: [join(sources, "src", entry)],
    outfile,
    plugins,
  });
  return outfile;
}

const startWithinMs = 60_000;

interface How {
  /** Receives the service's output, including e-mails. */
  onPrinted?: (printed: string) => void;
  /** Extra milliseconds per database batch, to simulate a distant database. */
  databaseMs?: number;
  /** The bundle with the coordinators; by default, the Worker's own. */
  coordinatorBundle?: string;
}

export async function startKillableService(
  stateDirectory: string,
  bundle: string,
  apikey: string,
  { onPrinted, databaseMs = 0, coordinatorBundle = bundle }: How = {},
): Promise<KillableService> {
  const child = spawn(
    process.execPath,
    [
      "--no-warnings",
      join(import.meta.dirname, "service-process.ts"),
      stateDirectory,
      bundle,
      coordinatorBundle,
      `${databaseMs}`,
    ],
    { stdio: ["ignore", onPrinted ? "pipe" : "ignore", "pipe", "ipc"], detached: true },
  );
  for (const stream of onPrinted ? [child.stdout, child.stderr] : [])
    stream?.setEncoding("utf8").on("data", onPrinted as (printed: string) => void);
  return { ...serviceAt(await addressesOf(child), apikey), kill: () => killGroup(child) };
}

/** Starts a service on a temporary directory. Disposing it kills the service and deletes the directory. */
export async function startTemporaryService(how: How = {}): Promise<TemporaryService> {
  const directory = mkdtempSync(join(tmpdir(), "partner-api-faults-"));
  const bundle = await bundleInto(directory);
  const start = () => startKillableService(directory, bundle, localGatewayKey(), how);
  const service: TemporaryService = {
    ...(await start()),
    restart: async () => void Object.assign(service, await start()),
    [Symbol.asyncDispose]: async () => {
      await service.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return service;
}

/** Returns a random number in a range, such as how long a service runs before it is killed. */
export const between = ({ least, most }: { least: number; most: number }): number =>
  least + Math.random() * (most - least);

export function serviceAt({ baseUrl, toolsUrl }: Addresses, apikey: string): RunningService {
  // biome-ignore lint/suspicious/noExplicitAny: the callers say what they ask for.
  const ask = async (body: object): Promise<any> => {
    const response = await fetch(toolsUrl, { method: "POST", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`the tools answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  return {
    baseUrl,
    toolsUrl,
    call: (path, { token, body, key }) =>
      fetch(new URL(path, baseUrl), {
        method: "POST",
        headers: {
          apikey,
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "idempotency-key": key,
        },
        body: JSON.stringify(body),
      }),
    deliver: (payload, signature) =>
      fetch(new URL("/processor/stripe", baseUrl), {
        method: "POST",
        headers: { "content-type": "application/json", "stripe-signature": signature },
        body: payload,
      }),
    admin: async (operation, fields) => {
      const outcome = await ask({ operation, fields });
      if (!outcome.ok) throw new Error(`${operation}: ${outcome.message}`);
      return outcome.result;
    },
    sql: (sql, ...params) => ask({ sql, params }),
    minute: () =>
      fetch(new URL("/cdn-cgi/local/scheduled?cron=*+*+*+*+*", baseUrl), { method: "POST" }).then(
        (response) => response.text(),
      ),
  };
}

function addressesOf(child: ChildProcess): Promise<Addresses> {
  return new Promise((resolve, reject) => {
    let errors = "";
    child.stderr?.on("data", (chunk) => {
      errors += chunk;
    });
    const timer = setTimeout(() => reject(new Error("the service did not start in time")), startWithinMs);
    child.once("message", (addresses) => {
      clearTimeout(timer);
      resolve(addresses as Addresses);
    });
    child.once("exit", () => reject(new Error(`the service ended while it started:\n${errors}`)));
  });
}

async function killGroup(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("close", resolve));
  process.kill(-(child.pid as number), "SIGKILL");
  await ended;
  while (isGroupAlive(child.pid as number)) await new Promise((resolve) => setTimeout(resolve, 5));
}

function isGroupAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}
