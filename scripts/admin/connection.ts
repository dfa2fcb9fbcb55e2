/** Connects to the Worker's Admin entrypoint through a service binding, locally or in production. */
import { join } from "node:path";
import type { AdminOutcome } from "../../src/operations/admin.ts";
import { cellsOfProduction } from "../cells.ts";
import { frontName } from "../local/cells.ts";
import { announcedServer, type State } from "../local/state.ts";
import type { Environment } from "./parameters.ts";

export interface AdminConnection {
  run(operation: string, fields: Record<string, unknown>): Promise<AdminOutcome>;
  close(): Promise<void>;
}

export type Entrypoint = Pick<AdminConnection, "run">;

export async function openAdmin(state: State, environment?: Environment): Promise<AdminConnection> {
  const { admin, close } = environment ? await inProduction(environment) : await onThisMachine(state);
  return {
    // Copied, because a call's result becomes invalid when the connection is closed.
    run: async (operation, fields) => JSON.parse(JSON.stringify(await admin.run(operation, fields))),
    close,
  };
}

/** Connects through the running server's dev registry, which is much faster than importing wrangler. */
async function onThisMachine(state: State) {
  const miniflare = await besideService(state);
  const { ADMIN: admin } = await miniflare.getBindings<{ ADMIN: Entrypoint }>();
  return { admin, close: () => miniflare.dispose() };
}

/** Starts a local Worker with a binding to the running server's Admin entrypoint, and the given bindings. */
export async function besideService(state: State, bindings: object = {}) {
  const { convertV4MiniflareOptions, Miniflare } = await import("miniflare");
  const name = announcedServer(state)?.cells ? frontName : "partner-api";
  return new Miniflare(
    convertV4MiniflareOptions({
      ...bindings,
      name: "partner-api-admin",
      modules: true,
      script: "",
      compatibilityDate: "2026-10-23",
      serviceBindings: { ADMIN: { name, entrypoint: "Admin" } },
      unsafeDevRegistryPath: state.registry,
      // The Worker runs no code. Its runtime only warns about RPC results, which Miniflare does not dispose of.
      handleStructuredLogs: () => {},
      cf: false,
    }),
  );
}

/** Connects through wrangler's remote binding, with the signed-in account. */
async function inProduction(environment: Environment) {
  Object.assign(process.env, {
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_LOG: process.env.WRANGLER_LOG ?? "error",
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
  });
  const { getPlatformProxy } = await import("wrangler");
  const { env, dispose } = await getPlatformProxy<{ ADMIN: Entrypoint }>({
    configPath: join(import.meta.dirname, "wrangler.json"),
    environment: isOfCells(environment) ? "production-front" : environment,
    persist: false,
  });
  return { admin: env.ADMIN, close: dispose };
}

/** If there are several cells, the front runs each operation in the right one. */
const isOfCells = (environment: Environment) =>
  environment === "production" && cellsOfProduction().cells.length > 1;

/** Whether a local server has announced itself and responds. */
export async function isServing(state: State): Promise<boolean> {
  const server = announcedServer(state);
  return server !== null && (await answers(server.base_url, busyMs));
}

/** This is long because a busy server responds late. A stopped server refuses the connection at once. */
const busyMs = 30_000;

/** The OpenAPI document needs no key. */
export const answers = (baseUrl: string, withinMs: number): Promise<boolean> =>
  fetch(`${baseUrl}/api-v1/openapi.json`, { signal: AbortSignal.timeout(withinMs) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
