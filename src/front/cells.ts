import { frontHeaders } from "../contract/front.ts";
import type { CellFacts, MoveSteps } from "../contract/move.ts";
import { secretsOf } from "../platform/secret.ts";
import { serviceStateOf } from "../platform/service-state.ts";

/** The result of an operation, as a cell's Admin entrypoint returns it. */
export type CellOutcome = { ok: true; result: object } | { ok: false; message: string; hint: string | null };

/** What the front passes to a cell so that it can validate a move. */
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
  /** The names of all cells, separated by commas. The first cell gets requests that belong to no cell. */
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

/** The cast is safe, because `npm run environments` binds every cell in CELLS. */
const bindingOf = <T>(env: FrontEnv, kind: "CELL" | "ADMIN", cell: string): T =>
  Reflect.get(env, `${kind}_${cell.toUpperCase()}`) as T;

export const adminBinding = (env: FrontEnv, cell: string): AdminBinding => bindingOf(env, "ADMIN", cell);

/** The headers that the front adds to a request, by the names in `frontHeaders`. */
export type Marks = Partial<Record<Exclude<keyof typeof frontHeaders, "key" | "state">, string>>;

/** Forwards a request to a cell. The front's headers replace any of the same name sent by the caller. */
export function forward(env: FrontEnv, cell: string, request: Request, marks: Marks = {}): Promise<Response> {
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

/** Creates the response if no cell responds. It has no body. */
const noCell = () => new Response(null, { status: 503, headers: { "Retry-After": retryAfter } });

/**
 * Forwards a request that belongs to no cell to the first open cell. If none is open, returns the first cell's error.
 */
export async function forwardToAny(env: FrontEnv, request: Request, marks: Marks = {}): Promise<Response> {
  let refused: Response | undefined;
  for (const cell of cellsOf(env)) {
    const response = await forward(env, cell, request.clone(), marks).catch(() => undefined);
    if (response && (response.status !== 503 || marks.cell === "away")) return response;
    refused ??= response;
  }
  return refused ?? noCell();
}

/**
 * Lets another cell write the error response if a request's own cell did not respond. This needs neither the body nor a
 * database.
 */
export function refuseAsUnavailable(env: FrontEnv, request: Request): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  const { url, method } = request;
  return forwardToAny(env, new Request(url, { method, headers, redirect: "manual" }), { cell: "away" });
}
