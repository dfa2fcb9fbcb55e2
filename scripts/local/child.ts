/** Child processes that end with this one, and their output. */
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { State } from "./state.ts";

const wranglerFolder = dirname(createRequire(import.meta.url).resolve("wrangler/package.json"));
const wranglerScript = join(wranglerFolder, "wrangler-dist", "cli.js");
const imports = ["end-with-parent.ts", "../quick-imports.js"].flatMap((name) => [
  "--import",
  join(import.meta.dirname, name),
]);
export const projectFolder = join(import.meta.dirname, "..", "..");

/** Kept traces grow by 9 KB per request; wrangler writes them if the variable is true. */
const withoutTraces = { X_LOCAL_OBSERVABILITY: "false" };

/** wrangler then needs no network and reports nothing. */
const quietly = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  NO_UPDATE_NOTIFIER: "1",
};

export interface Child {
  process: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  /** Resolves with its exit code. */
  ended: Promise<number>;
  /** From now on its output is passed on. */
  show(): void;
}

export const startWrangler = (parameters: readonly string[], state: State): Child =>
  startChild(wranglerScript, parameters, state);

export function startChild(script: string, parameters: readonly string[], { registry }: State): Child {
  const child = spawn(process.execPath, ["--no-warnings", ...imports, script, ...parameters], {
    cwd: projectFolder,
    env: { ...withoutTraces, ...process.env, ...quietly, WRANGLER_REGISTRY_PATH: registry },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // A separate process group, so that a Ctrl-C reaches it only through this process, which then waits for its
    // end.
    detached: true,
  });
  let printed = "";
  let shown = false;
  for (const [stream, target] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    stream?.on("data", (chunk: Buffer) => {
      if (shown) target.write(chunk);
      else printed += chunk.toString();
    });
  }
  const ended = new Promise<number>((resolve) => {
    child.on("error", (error) => {
      printed += String(error);
      resolve(1);
    });
    child.on("close", (code) => resolve(code ?? 1));
  });
  return {
    process: child,
    output: () => printed,
    ended,
    show: () => {
      shown = true;
    },
  };
}

/** How long a child may take to exit by itself. */
const graceMs = 5_000;

/** Ends the child and what it started, by force if it does not exit by itself. */
export async function stop({ process: child, ended }: Child): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-(child.pid as number), name);
    } catch {
      // It has ended.
    }
  };
  signal("SIGTERM");
  const forced = setTimeout(() => signal("SIGKILL"), graceMs);
  await ended;
  clearTimeout(forced);
  signal("SIGKILL");
}
