/** Runs wrangler as a child process. */
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { State } from "./state.ts";

const packageFolder = dirname(createRequire(import.meta.url).resolve("wrangler/package.json"));
const endWithParent = join(import.meta.dirname, "end-with-parent.ts");
const projectFolder = join(import.meta.dirname, "..", "..");

/** Needs no network and tells nobody. */
const quietly = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  NO_UPDATE_NOTIFIER: "1",
};

export interface WranglerProcess {
  child: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  ended: Promise<number>;
  /** From now on its output is passed on. */
  show(): void;
}

export function wrangler(parameters: readonly string[], { registry }: State): WranglerProcess {
  const child = spawn(
    process.execPath,
    [
      "--no-warnings",
      "--import",
      endWithParent,
      join(packageFolder, "wrangler-dist", "cli.js"),
      ...parameters,
    ],
    {
      cwd: projectFolder,
      env: { ...process.env, ...quietly, WRANGLER_REGISTRY_PATH: registry },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      // A group of its own: a Ctrl-C reaches it through this process alone, which then waits for its end.
      detached: true,
    },
  );
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
    child,
    output: () => printed,
    ended,
    show: () => {
      shown = true;
    },
  };
}

const patienceMs = 5_000;

/** Ends the process and what it started, by force if it does not end by itself. */
export async function stop({ child, ended }: WranglerProcess): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-(child.pid as number), name);
    } catch {
      // It has ended.
    }
  };
  signal("SIGTERM");
  const forced = setTimeout(() => signal("SIGKILL"), patienceMs);
  await ended;
  clearTimeout(forced);
  signal("SIGKILL");
}
