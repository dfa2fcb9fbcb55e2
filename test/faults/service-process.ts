/**
 * Runs the Worker with local bindings in a process that can be killed: node test/faults/service-process.ts STATE BUNDLE
 * COORDINATOR_BUNDLE MILLISECONDS. Each database batch takes that many milliseconds longer, to simulate a distant
 * database. A second Worker gives the suite SQL and the Admin entrypoint.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";

const [stateDirectory = "", bundle = "", coordinatorBundle = "", databaseMs = "0"] = process.argv.slice(2);
const root = join(import.meta.dirname, "..", "..");

const { bindings, ...options } = unstable_getMiniflareWorkerOptions(
  join(root, "wrangler.toml"),
).workerOptions;

/** The Worker, with a delay added to its database. */
const far = `import worker from "./worker.js";
export * from "./worker.js";
const later = (database) => new Proxy(database, {
  get(target, name) {
    const value = target[name];
    if (name === "batch")
      return async (statements) => {
        await scheduler.wait(${databaseMs});
        return target.batch(statements);
      };
    return typeof value === "function" ? value.bind(target) : value;
  },
});
const withDatabase = (env) => ({ ...env, DB: later(env.DB) });
export default {
  fetch: (request, env, context) => worker.fetch(request, withDatabase(env), context),
  queue: (batch, env, context) => worker.queue(batch, withDatabase(env), context),
  scheduled: (event, env, context) => worker.scheduled(event, withDatabase(env), context),
}`;

const tools = `export default {
  async fetch(request, env) {
    const { operation, fields, sql, params } = await request.json();
    try {
      if (operation) return Response.json(await env.ADMIN.run(operation, fields));
      return Response.json((await env.DB.prepare(sql).bind(...params).all()).results);
    } catch (error) {
      return new Response(String(error), { status: 500 });
    }
  }
}`;

/**
 * Handles the Worker's outgoing requests: resolves every name to a public address, and forwards requests for names like
 * `port-8080.anyone.example` to that port on this machine.
 */
const internet = `export default {
  fetch(request) {
    const { hostname, pathname, searchParams } = new URL(request.url);
    if (pathname === "/dns-query")
      return Response.json({
        Status: 0,
        Answer: searchParams.get("type") === "A" ? [{ type: 1, data: "93.184.216.34" }] : [],
      });
    const port = /^port-(\\d+)\\./.exec(hostname)?.[1];
    return fetch(port ? new Request("http://127.0.0.1:" + port + pathname, request) : request);
  }
}`;

const moduleOf = (path: string) => ({
  type: "ESModule",
  path: "worker.js",
  contents: readFileSync(path, "utf8"),
});
const variables = { ...(bindings as Record<string, string>), ALLOW_LOCAL_WEBHOOK_TARGETS: "true" };
const objects = Object.fromEntries(
  Object.entries(options.durableObjects ?? {}).map(([name, object]) => [
    name,
    { ...Object(object), scriptName: "objects" },
  ]),
);

const service = {
  host: "127.0.0.1",
  port: 0,
  resourcePersistencePath: join(stateDirectory, "state"),
  unsafeTriggerHandlers: true,
  // At this level, a line is logged for each e-mail that would be sent.
  log: new Log(LogLevel.INFO),
  workers: [
    {
      ...options,
      name: "partner-api",
      modules: [{ type: "ESModule", path: "far.js", contents: far }, moduleOf(bundle)],
      durableObjects: objects,
      bindings: variables,
      outboundService: "internet",
    },
    {
      name: "objects",
      modules: [moduleOf(coordinatorBundle)],
      durableObjects: objects,
      bindings: variables,
      compatibilityDate: options.compatibilityDate,
      compatibilityFlags: options.compatibilityFlags,
    },
    {
      name: "internet",
      modules: true,
      script: internet,
      compatibilityDate: options.compatibilityDate,
    },
    {
      name: "tools",
      modules: true,
      script: tools,
      compatibilityDate: options.compatibilityDate,
      d1Databases: options.d1Databases,
      serviceBindings: { ADMIN: { name: "partner-api", entrypoint: "Admin" } },
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    },
  ],
};

const miniflare = new Miniflare(convertV4MiniflareOptions(service as V4MiniflareOptions));
const baseUrl = (await miniflare.ready).href;
process.send?.({ baseUrl, toolsUrl: (await miniflare.unsafeGetDirectURL("tools")).href });
