import { type ChildProcess, spawn } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import workerd from "workerd";
import { workerBuild } from "../scripts/local/worker-build.ts";

const root = join(import.meta.dirname, "..");
const bundles = {
  app: "src/worker.ts",
  silent: "src/worker.ts",
  unlogged: "src/worker.ts",
  counted: "bench/counted.ts",
  queued: "bench/queued.ts",
  "baseline-read": "bench/baselines/read.ts",
  "baseline-write": "bench/baselines/write.ts",
  "baseline-webhook": "bench/baselines/webhook.ts",
  "hand-over": "bench/hand-over.ts",
  "open-pace": "bench/open-pace.ts",
  front: "src/front/worker.ts",
} as const;
const sockets = [
  "app",
  "silent",
  "unlogged",
  "counted",
  "queued",
  "baseline-read",
  "baseline-write",
  "hand-over",
  "front",
  "directory",
  "d1",
] as const;
export type Socket = (typeof sockets)[number];

export interface Server {
  addressOf(socket: Socket): string;
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

/** Bundles every contender and serves them with plain workerd and a temporary state directory. */
export async function serveWorker(): Promise<Server> {
  const directory = await mkdtemp(join(tmpdir(), "partner-api-bench-"));
  await mkdir(join(directory, "state"));
  await Promise.all([
    ...Object.entries(bundles).map(([name, entry]) =>
      bundleWorker(entry, join(directory, `${name}.mjs`), withouts[name] ?? []),
    ),
    ...["thin-d1.mjs", "config.capnp"].map((file) =>
      copyFile(join(import.meta.dirname, file), join(directory, file)),
    ),
  ]);
  const child = spawn(workerd.default, ["serve", "--experimental", "--control-fd=3", "config.capnp"], {
    cwd: directory,
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  const ports = await listening(child);
  return {
    addressOf: (socket) => `http://127.0.0.1:${ports.get(socket)}`,
    cpuMs: () => cpuMsOfTree(child.pid ?? 0),
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Removes a line from a Worker's source, to measure what that line costs. */
const without = (file: RegExp, line: RegExp): Plugin => ({
  name: "without a line",
  setup: ({ onLoad }) =>
    onLoad({ filter: file }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const contents = source.replace(line, "");
      if (contents === source) throw new Error(`${path} has no line like ${line} by now`);
      return { contents, loader: "ts" };
    }),
});

const withouts: Partial<Record<string, Plugin[]>> = {
  silent: [without(/http\/request-line\.ts$/, /^ {2}console\.log\(.*$/m)],
  unlogged: [without(/http\/app\.ts$/, /^ {4}requestLog\(servicesOf\),$/m)],
};

/** Bundles a Worker as `wrangler deploy` does, but without the names of functions. */
export async function bundleWorker(
  entry: string,
  outfile?: string,
  plugins: Plugin[] = [],
): Promise<Uint8Array> {
  const { outputFiles } = await build({
    ...workerBuild,
    entryPoints: [join(root, entry)],
    outfile: outfile ?? "worker.mjs",
    write: outfile !== undefined,
    minify: true,
    logLevel: "error",
    plugins,
  });
  return outputFiles?.[0]?.contents ?? new Uint8Array();
}

/** Waits until workerd reports each socket's port on its control channel. */
function listening(child: ChildProcess): Promise<Map<string, number>> {
  return new Promise((resolve, reject) => {
    const ports = new Map<string, number>();
    let text = "";
    child.once("exit", (code) => reject(new Error(`workerd ended with ${code}`)));
    child.stdio[3]?.on("data", (chunk: Buffer) => {
      const lines = (text + chunk).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        const { event, socket, port } = JSON.parse(line);
        if (event === "listen") ports.set(socket, port);
      }
      if (ports.size === sockets.length) resolve(ports);
    });
  });
}

const clockTickMs = 10; // USER_HZ is 100 on every Linux that Node supports

/** User and system time of a process and its descendants, including exited ones. */
async function cpuMsOfTree(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [, , , , , , , , , , , user = 0, system = 0, endedUser = 0, endedSystem = 0] = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const children = await childrenOf(pid);
  const ofChildren = await Promise.all(children.map(cpuMsOfTree));
  return (
    (user + system + endedUser + endedSystem) * clockTickMs + ofChildren.reduce((sum, ms) => sum + ms, 0)
  );
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => "")),
  );
  return lists.flatMap((list) => list.trim().split(/\s+/).filter(Boolean).map(Number));
}
