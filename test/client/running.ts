import { spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const root = join(import.meta.dirname, "..", "..");
export const cli = join(root, "client", "cli", "partner-api.ts");

/** Runs a script in a process that is killed when the test ends. */
export function running(script: string, parameters: string[] = [], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["--no-warnings", script, ...parameters], {
    cwd: root,
    env: { ...process.env, ...environment },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      printed += chunk;
    });
  }
  return {
    printed: () => printed,
    ended: new Promise<number | null>((resolve) => child.once("exit", resolve)),
    end: (signal: NodeJS.Signals = "SIGINT") => child.kill(signal),
  };
}
