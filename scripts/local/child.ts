/** Starts child processes that stop when this process exits. */
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

/** Disables wrangler's local traces, which take 9 KB per request. The caller can set the variable to true. */
const withoutTraces = { X_LOCAL_OBSERVABILITY: "false" };

/** Keeps wrangler from using the network. */
const quietly = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  NO_UPDATE_NOTIFIER: "1",
};

export interface Child {
  process: ChildProcess;
  /** Output captured before `show` was called. */
  output(): string;
  /** Resolves with the exit code. */
  ended: Promise<number>;
  /** Forwards further output to this process. */
  show(): void;
}

export const startWrangler = (parameters: readonly string[], state: State): Child =>
  startChild(wranglerScript, parameters, state);

export function startChild(script: string, parameters: readonly string[], { registry }: State): Child {
  const child = spawn(process.execPath, ["--no-warnings", ...imports, script, ...parameters], {
    cwd: projectFolder,
    env: { ...withoutTraces, ...process.env, ...quietly, WRANGLER_REGISTRY_PATH: registry },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // A separate process group, so that Ctrl-C reaches only this process, which then stops the child and waits for it.
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

/** How long a child may take to exit before it is killed. */
const graceMs = 5_000;

/** Stops the child and its descendants, and kills them if they do not exit in time. */
export async function stop({ process: child, ended }: Child): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-(child.pid as number), name);
    } catch {
      // The process has already exited.
    }
  };
  signal("SIGTERM");
  const forced = setTimeout(() => signal("SIGKILL"), graceMs);
  await ended;
  clearTimeout(forced);
  signal("SIGKILL");
}
