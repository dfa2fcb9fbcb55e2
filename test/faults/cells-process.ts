/**
 * Runs a front and two cells with local bindings in a process that can be killed: node test/faults/cells-process.ts
 * STATE CELL_BUNDLE FRONT_BUNDLE. It counts the binding calls of a move, and kills itself with SIGKILL at the call
 * that the suite chooses. Another Worker runs SQL and the Admin entrypoint for this suite.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { frontName, writeConfigs } from "../../scripts/local/cells.ts";

const [stateDirectory = "", cellBundle = "", frontBundle = ""] = process.argv.slice(2);

/** The Worker with an Admin entrypoint that reports each binding call of a move before making it. */
const counting = `import worker, * as all from "./worker.js";
export * from "./worker.js";
const counted = (env, call) => {
  const ask = () => call.isOfMove && env.COUNT.fetch("http://count/");
  const calling = (target, names) => new Proxy(target, {
    get(_, name) {
      const value = target[name];
      if (typeof value !== "function" || name === "then") return value;
      if (names && !names.includes(name)) return (...given) => value.apply(target, given);
      return async (...given) => {
        await ask();
        return target[name](...given);
      };
    },
  });
  const plain = new WeakMap();
  const statement = (target) => {
    const proxy = new Proxy(target, {
      get(_, name) {
        if (name === "bind") return (...given) => statement(target.bind(...given));
        if (!["run", "all", "first", "raw"].includes(name)) return target[name];
        return async (...given) => {
          await ask();
          return target[name](...given);
        };
      },
    });
    plain.set(proxy, target);
    return proxy;
  };
  const database = (target) => new Proxy(target, {
    get(_, name) {
      if (name === "prepare") return (sql) => statement(target.prepare(sql));
      if (name === "batch") return async (all) => {
        await ask();
        return target.batch(all.map((one) => plain.get(one) ?? one));
      };
      return target[name];
    },
  });
  const wrapped = (name, value) => {
    if (/^(DB|DIRECTORY)$/.test(name)) return database(value);
    if (name === "IMAGES" || name.startsWith("ADMIN_")) return calling(value);
    if (name === "ORGANIZATION_COORDINATOR")
      return { getByName: (...given) => calling(value.getByName(...given)) };
    return value;
  };
  return Object.fromEntries(Object.keys(env).map((name) => [name, wrapped(name, env[name])]));
};
export class Admin extends all.Admin {
  #call;
  constructor(context, env) {
    const call = { isOfMove: false };
    super(context, counted(env, call));
    this.#call = call;
  }
  run(name, ...given) {
    this.#call.isOfMove = name === "move-organization";
    return super.run(name, ...given);
  }
  move(...given) {
    this.#call.isOfMove = true;
    return super.move(...given);
  }
}
export default {
  ...worker,
  async fetch(request, env, context) {
    if (new URL(request.url).pathname !== "/minute-of-the-suite") return worker.fetch(request, env, context);
    await worker.scheduled({}, env, context);
    return new Response(null);
  },
};`;

const tools = `export default {
  async fetch(request, env) {
    const { operation, fields, sql, params, cell, statements } = await request.json();
    try {
      if (statements) {
        for (let at = 0; at < statements.length; at += 50)
          await env[cell].batch(statements.slice(at, at + 50).map((one) => env[cell].prepare(one)));
        return Response.json([]);
      }
      if (operation) return Response.json(await env.ADMIN.run(operation, fields));
      return Response.json((await env[cell].prepare(sql).bind(...params).all()).results);
    } catch (error) {
      return new Response(String(error), { status: 500 });
    }
  }
}`;

let calls = 0;
let killAt = Infinity;
process.on("message", ({ arm }: { arm: number | null }) => {
  calls = 0;
  killAt = arm ?? Infinity;
  process.send?.({ armed: true });
});

/** Counts a call. At the chosen call, kills the process. */
async function count(): Promise<Response> {
  calls += 1;
  if (calls === killAt) process.kill(-process.pid, "SIGKILL");
  process.send?.({ calls });
  return new Response(null);
}

const moduleOf = (path: string) => ({
  type: "ESModule",
  path: "worker.js",
  contents: readFileSync(path, "utf8"),
});
const configs = writeConfigs({ directory: stateDirectory } as never, 2, {}, []);
const workers = configs.map((config, index) => {
  const { bindings, ...options } = Object(unstable_getMiniflareWorkerOptions(config).workerOptions);
  return {
    ...options,
    modules: [
      { type: "ESModule", path: "counting.js", contents: counting },
      moduleOf(index === 0 ? frontBundle : cellBundle),
    ],
    bindings: { ...bindings, ALLOW_LOCAL_WEBHOOK_TARGETS: "true" },
    serviceBindings: { ...Object(options.serviceBindings), COUNT: count },
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  };
});
const [front, a, b] = workers;
if (!front || !a || !b) throw new Error("a front and two cells are expected");
const d1 = (options: object) => Object(Reflect.get(options, "d1Databases"));

const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    host: "127.0.0.1",
    port: 0,
    resourcePersistencePath: join(stateDirectory, "state"),
    unsafeTriggerHandlers: true,
    log: new Log(LogLevel.WARN),
    workers: [
      { ...front, name: frontName },
      { ...a, name: "partner-api" },
      { ...b, name: "partner-api-b" },
      {
        name: "tools",
        modules: true,
        script: tools,
        compatibilityDate: a.compatibilityDate,
        d1Databases: { A: d1(a).DB, B: d1(b).DB, DIRECTORY: d1(front).DIRECTORY },
        serviceBindings: { ADMIN: { name: frontName, entrypoint: "Admin" } },
        unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      },
    ],
  } as V4MiniflareOptions),
);
await miniflare.ready;
const urlOf = async (name: string) => (await miniflare.unsafeGetDirectURL(name)).href;
process.send?.({
  baseUrl: (await miniflare.ready).href,
  toolsUrl: await urlOf("tools"),
  cellUrls: [await urlOf("partner-api"), await urlOf("partner-api-b")],
});
