/**
 * Runs a front and two cells with local bindings: node test/faults/cells-process.ts STATE CELL_BUNDLE FRONT_BUNDLE. It
 * reports each binding call of a move, kills the runtime with SIGKILL at the first new call, and starts the runtime
 * again. A call is new if its number within the step, its method or one of its statements is new. Another Worker runs
 * SQL and the Admin entrypoint for this suite.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { frontName, writeConfigs } from "../../scripts/local/cells.ts";

const [stateDirectory = "", cellBundle = "", frontBundle = ""] = process.argv.slice(2);

/** The number of calls grows with the workspace, so calls after these are distinguished only by their statements. */
const numberedCalls = 12;

/** The Worker with an Admin entrypoint that reports each binding call of a move before making it. */
const counting = `import worker, * as all from "./worker.js";
export * from "./worker.js";
const counted = (env, call) => {
  const ask = async (...done) => {
    if (call.step === null) return;
    call.made = Math.min(call.made + 1, ${numberedCalls});
    const names = [call.made, ...done].map((each) => [env.CELL ?? "front", call.step, each].join(" "));
    await env.COUNT.fetch("http://count/", { method: "POST", body: JSON.stringify(names) });
  };
  const calling = (target, binding) => new Proxy(target, {
    get(_, name) {
      const value = target[name];
      if (typeof value !== "function" || name === "then") return value;
      return async (...given) => {
        await ask([binding, name, binding.startsWith("ADMIN_") ? given[0] : ""].join(" "));
        return target[name](...given);
      };
    },
  });
  const plain = new WeakMap();
  const statement = (target, sql) => {
    const proxy = new Proxy(target, {
      get(_, name) {
        if (name === "bind") return (...given) => statement(target.bind(...given), sql);
        if (!["run", "all", "first", "raw"].includes(name)) return target[name];
        return async (...given) => {
          await ask(sql);
          return target[name](...given);
        };
      },
    });
    plain.set(proxy, { target, sql });
    return proxy;
  };
  const database = (target) => new Proxy(target, {
    get(_, name) {
      if (name === "prepare") return (sql) => statement(target.prepare(sql), sql);
      if (name === "batch") return async (all) => {
        const known = all.map((one) => plain.get(one) ?? { target: one, sql: "" });
        await ask(...known.map(({ sql }) => sql));
        return target.batch(known.map((one) => one.target));
      };
      return target[name];
    },
  });
  const wrapped = (name, value) => {
    if (/^(DB|DIRECTORY)$/.test(name)) return database(value);
    if (name === "IMAGES" || name.startsWith("ADMIN_")) return calling(value, name);
    if (name === "ORGANIZATION_COORDINATOR")
      return { getByName: (...given) => calling(value.getByName(...given), name) };
    return value;
  };
  return Object.fromEntries(Object.keys(env).map((name) => [name, wrapped(name, env[name])]));
};
export class Admin extends all.Admin {
  #call;
  constructor(context, env) {
    const call = { step: null, made: 0 };
    super(context, counted(env, call));
    this.#call = call;
  }
  run(name, ...given) {
    this.#call.step = name === "move-organization" ? name : null;
    return super.run(name, ...given);
  }
  move(step, ...given) {
    this.#call.step = step;
    return super.move(step, ...given);
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

/** The names of the calls at which a move has been killed, or null while moves are not killed. */
let killedAt: Set<string> | null = null;
process.on("message", ({ arm }: { arm: string[] | null }) => {
  killedAt = arm && new Set(arm);
  process.send?.({ armed: true });
});

/** Lets a call continue, or kills the runtime first. */
async function count(request: Request): Promise<Response> {
  const names = (await request.json()) as string[];
  if (killedAt === null || names.every((name) => killedAt?.has(name))) return new Response(null);
  killedAt = null;
  process.send?.({ killedAt: names });
  // This process has one child: the runtime with the front, both cells, their storage and their queues.
  for (const child of execFileSync("pgrep", ["-P", String(process.pid)], { encoding: "utf8" }).split("\n"))
    if (child !== "") process.kill(Number(child), "SIGKILL");
  const killed = miniflare;
  miniflare = await killed.dispose().then(open, open);
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

const options = convertV4MiniflareOptions({
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
} as V4MiniflareOptions);
let miniflare = await open();

async function open(): Promise<Miniflare> {
  const opened = new Miniflare(options);
  const urlOf = async (name: string) => (await opened.unsafeGetDirectURL(name)).href;
  process.send?.({
    baseUrl: (await opened.ready).href,
    toolsUrl: await urlOf("tools"),
    cellUrls: [await urlOf("partner-api"), await urlOf("partner-api-b")],
  });
  return opened;
}
