import { frontHeaders } from "../contract/front.ts";
import type { CellFacts, MoveSteps } from "../contract/move.ts";
import { secretsOf } from "../platform/secret.ts";
import { serviceStateOf } from "../platform/service-state.ts";

/** The result of an operation, as a cell's Admin entrypoint returns it. */
export type CellOutcome = { ok: true; result: object } | { ok: false; message: string; hint: string | null };

/** What the front passes with a move that a cell checks. */
interface Moving {
  target: CellFacts | null;
  cells: readonly string[];
  mover: string;
}

interface AdminBinding {
  run(operation: string, fields: Record<string, unknown>, moving?: Moving): Promise<CellOutcome>;
  move<N extends keyof MoveSteps>(step: N, input: MoveSteps[N][0]): Promise<CellOutcome>;
}

/** The front's bindings. For each cell NAME there are CELL_NAME, its Worker, and ADMIN_NAME, its Admin entrypoint. */
export interface FrontEnv {
  /** The names of all cells, comma-separated; the first one gets what belongs to none. */
  CELLS: string;
  FRONT_KEY: string;
  SERVICE_STATE: string;
  DIRECTORY: D1Database;
}

export const cellsOf = ({ CELLS }: FrontEnv): readonly [string, ...string[]] => {
  const [first, ...others] = CELLS.split(",");
  if (!first) throw new Error("CELLS names no cell");
  return [first, ...others];
};

/** The cast: `npm run environments` binds every cell of CELLS. */
const bindingOf = <T>(env: FrontEnv, kind: "CELL" | "ADMIN", cell: string): T =>
  Reflect.get(env, `${kind}_${cell.toUpperCase()}`) as T;

export const adminBinding = (env: FrontEnv, cell: string): AdminBinding => bindingOf(env, "ADMIN", cell);

/** What the front says about a request; `frontHeaders` lists the names. */
export type Marks = Partial<Record<Exclude<keyof typeof frontHeaders, "key" | "state">, string>>;

/** Passes a request on as it came, with the front's own headers in the place of any that the caller sent. */
export function passOn(env: FrontEnv, cell: string, request: Request, marks: Marks = {}): Promise<Response> {
  const headers = new Headers(request.headers);
  for (const name of Object.values(frontHeaders)) headers.delete(name);
  headers.set(frontHeaders.key, secretsOf(env.FRONT_KEY)[0] ?? "");
  const state = serviceStateOf(env);
  if (state !== "open") headers.set(frontHeaders.state, state);
  for (const [name, value] of Object.entries(marks)) headers.set(frontHeaders[name as keyof Marks], value);
  return bindingOf<Fetcher>(env, "CELL", cell).fetch(new Request(request, { headers }));
}

/** In seconds. */
const retryAfter = "5";

/** If no cell responds, the response has no body. */
const noCell = () => new Response(null, { status: 503, headers: { "Retry-After": retryAfter } });

/** Passes a request that belongs to no cell to the first open cell. If none is open, the first to respond refuses. */
export async function passToAny(env: FrontEnv, request: Request, marks: Marks = {}): Promise<Response> {
  let refused: Response | undefined;
  for (const cell of cellsOf(env)) {
    const answered = await passOn(env, cell, request.clone(), marks).catch(() => undefined);
    if (answered && (answered.status !== 503 || marks.cell === "away")) return answered;
    refused ??= answered;
  }
  return refused ?? noCell();
}

/** A request whose cell did not answer: another cell refuses it in its own words, without a database and a body. */
export function refuseAsAway(env: FrontEnv, request: Request): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  const { url, method } = request;
  return passToAny(env, new Request(url, { method, headers, redirect: "manual" }), { cell: "away" });
}
