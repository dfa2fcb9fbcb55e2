import { applyD1Migrations, createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Moving } from "../../src/core/services.ts";
import { runInCell } from "../../src/front/admin.ts";
import type { CellOutcome, FrontEnv } from "../../src/front/cells.ts";
import front from "../../src/front/worker.ts";
import type { AdminOutcome } from "../../src/operations/admin.ts";
import worker, { Admin } from "../../src/worker.ts";
import { baseUrl } from "./partner.ts";

/** The second cell has separate coordinators of the same class. */
const coordinatorsOfB = new Proxy(env.ORGANIZATION_COORDINATOR, {
  get: (namespace, name) =>
    name === "getByName"
      ? (organizationId: string) => namespace.getByName(`b ${organizationId}`)
      : Reflect.get(namespace, name),
});

const frontKey = "a-front-key-of-the-tests";

/** Two cells with their own databases, a directory and a front, all in this isolate. */
export interface TwoCells {
  readonly a: Env;
  readonly b: Env;
  configure(cell: "a" | "b", variables: Partial<Env>): void;
  directory: D1Database;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  send(request: Request): Promise<Response>;
  fetchFrom(cell: "a" | "b", path: string, init?: RequestInit): Promise<Response>;
  admin<T = Record<string, string>>(operation: string, fields?: Record<string, unknown>): Promise<T>;
  outcomeOf(operation: string, fields?: Record<string, unknown>): Promise<CellOutcome>;
  minute(): Promise<void>;
  settled(): Promise<void>;
  /** The parts that are currently down. */
  away: Set<"a" | "b" | "directory">;
  frontEnv: FrontEnv;
}

export async function twoCells(): Promise<TwoCells> {
  const { DB_OF_B, IMAGES_OF_B, TEST_DIRECTORY } = env;
  await Promise.all([
    applyD1Migrations(DB_OF_B, env.TEST_MIGRATIONS),
    applyD1Migrations(TEST_DIRECTORY, env.DIRECTORY_MIGRATIONS),
  ]);
  const away: TwoCells["away"] = new Set();
  const directory = endingWhile(() => away.has("directory"), TEST_DIRECTORY);
  const cell = (name: string, own: Pick<Env, "DB" | "IMAGES" | "ORGANIZATION_COORDINATOR">): Env => ({
    ...env,
    ...own,
    CELL: name,
    CELLS: "a,b",
    FRONT_KEY: frontKey,
    DIRECTORY: directory,
  });
  const cells = {
    a: cell("a", env),
    b: cell("b", { DB: DB_OF_B, IMAGES: IMAGES_OF_B, ORGANIZATION_COORDINATOR: coordinatorsOfB }),
  };
  const door = (name: "a" | "b") => ({
    async fetch(request: Request) {
      if (away.has(name)) throw new Error("the cell is away");
      return inContext((execution) => worker.fetch(request as never, cells[name], execution));
    },
  });
  const admin = (name: "a" | "b") => ({
    run: (operation: string, fields: Record<string, unknown>, moving?: Moving): Promise<AdminOutcome> =>
      inContext((execution) => new Admin(execution as never, cells[name]).run(operation, fields, moving)),
    move: (...asked: Parameters<Admin["move"]>): Promise<AdminOutcome> => {
      if (away.has(name)) throw new Error("the cell is away");
      return inContext((execution) => new Admin(execution as never, cells[name]).move(...asked));
    },
  });
  const frontEnv = {
    CELLS: "a,b",
    FRONT_KEY: `${frontKey},the-key-before`,
    SERVICE_STATE: "open",
    DIRECTORY: directory,
    CELL_A: door("a"),
    CELL_B: door("b"),
    ADMIN_A: admin("a"),
    ADMIN_B: admin("b"),
  };
  const outcomeOf: TwoCells["outcomeOf"] = (operation, fields = {}) => runInCell(frontEnv, operation, fields);
  const requestFor = (path: string, init?: RequestInit) =>
    new Request(`${baseUrl}${path}`, { redirect: "manual", ...init });
  const send = (request: Request) => front.fetch(request as never, frontEnv);
  return {
    get a() {
      return cells.a;
    },
    get b() {
      return cells.b;
    },
    configure(name, variables) {
      cells[name] = { ...cells[name], ...variables };
    },
    directory: TEST_DIRECTORY,
    away,
    frontEnv,
    settled,
    send,
    fetch: (path, init) => send(requestFor(path, init)),
    fetchFrom: (name, path, init) => door(name).fetch(requestFor(path, init)),
    outcomeOf,
    async admin<T>(operation: string, fields?: Record<string, unknown>) {
      const outcome = await outcomeOf(operation, fields);
      if (!outcome.ok) throw new Error(`${operation}: ${outcome.message}`);
      return outcome.result as T;
    },
    async minute() {
      for (const one of [cells.a, cells.b]) await worker.scheduled({} as never, one);
      await front.scheduled({} as never, frontEnv);
    },
  };
}

/** Calls that may still have work running after their responses. */
const unsettled: ExecutionContext[] = [];

async function inContext<T>(work: (execution: ExecutionContext) => T | Promise<T>): Promise<T> {
  const execution = createExecutionContext();
  unsettled.push(execution);
  return work(execution);
}

async function settled(): Promise<void> {
  for (let one = unsettled.shift(); one; one = unsettled.shift()) await waitOnExecutionContext(one);
}

const endingWhile = (isAway: () => boolean, database: D1Database): D1Database =>
  new Proxy(database, {
    get(target, name) {
      if (isAway() && (name === "prepare" || name === "batch")) throw new Error("D1 DB is overloaded");
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
