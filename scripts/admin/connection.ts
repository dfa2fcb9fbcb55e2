/** The way to the Worker's Admin entrypoint: a service binding, local or in production. */
import { join } from "node:path";
import type { AdminOutcome } from "../../src/admin/admin.ts";
import { announcedServer, type State } from "../local/state.ts";

export interface AdminConnection {
  run(operation: string, fields: Record<string, unknown>): Promise<AdminOutcome>;
  close(): Promise<void>;
}

export async function openAdmin(state: State, environment?: "production"): Promise<AdminConnection> {
  Object.assign(process.env, {
    WRANGLER_REGISTRY_PATH: state.registry,
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_LOG: process.env.WRANGLER_LOG ?? "error",
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
  });
  const { getPlatformProxy } = await import("wrangler");
  const proxy = await getPlatformProxy<{ ADMIN: Pick<AdminConnection, "run"> }>({
    configPath: join(import.meta.dirname, "wrangler.json"),
    environment,
    persist: false,
  });
  return {
    // Copied: what a call answers is gone with the proxy.
    run: async (operation, fields) =>
      JSON.parse(JSON.stringify(await proxy.env.ADMIN.run(operation, fields))),
    close: () => proxy.dispose(),
  };
}

/** Whether a local server has announced itself and answers. */
export async function isServing(state: State): Promise<boolean> {
  const server = announcedServer(state);
  return server !== null && (await answers(server.base_url));
}

const answerWithinMs = 5_000;

/** The OpenAPI document needs no key. */
export const answers = (baseUrl: string): Promise<boolean> =>
  fetch(`${baseUrl}/api-v1/openapi.json`, { signal: AbortSignal.timeout(answerWithinMs) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );
