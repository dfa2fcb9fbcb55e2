import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AdminConnection, openAdmin } from "../admin/connection.ts";
import { contextOf, type DemoContext } from "../demo/context.ts";
import { freePort } from "./port.ts";
import { serve } from "./serve.ts";
import { stateAt } from "./state.ts";
import { watchNpm } from "./watch-npm.ts";

/** A drill is the only work of its process. Its directory is deleted at the end. */
export const directory = mkdtempSync(join(tmpdir(), "partner-api-drill-"));
export const state = stateAt(join(directory, "state"));
let stop = async () => {};

/** Runs a drill, and exits with 0 only if it succeeds. */
export async function runDrill(drill: () => Promise<void>): Promise<never> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(1));
  watchNpm(() => void end(1));
  try {
    await drill();
  } catch (error) {
    console.error(`\n${(error as Error).message}`);
    return end(1);
  }
  return end(0);
}

/** Runs `work` against a server started with this SERVICE_STATE. */
export async function serving<T>(
  serviceState: string,
  work: (context: DemoContext, connection: AdminConnection) => Promise<T>,
): Promise<T> {
  console.log(`\nThe service is ${serviceState}`);
  const running = await serve(state, {
    port: await freePort(),
    parameters: ["--log-level", "error", "--var", `SERVICE_STATE:${serviceState}`],
    onProgress: () => {},
  });
  stop = running.stop;
  const connection = await openAdmin(state);
  try {
    return await work(contextOf(running.server, connection), connection);
  } finally {
    connection.close();
    await running.stop();
  }
}

async function end(code: number): Promise<never> {
  await stop();
  rmSync(directory, { recursive: true, force: true });
  process.exit(code);
}
