import { WorkerEntrypoint } from "cloudflare:workers";
import { stripePath } from "../contract/processor-path.ts";
import { runInCell } from "./admin.ts";
import {
  type CellOutcome,
  cellsOf,
  type FrontEnv,
  forward,
  forwardToAny,
  refuseAsUnavailable,
} from "./cells.ts";
import {
  findCell,
  rememberCell,
  rememberedCell,
  retryWhileSwitching,
  type WorkspaceKey,
} from "./directory.ts";
import { finishMoves } from "./move.ts";
import { deliverPending, receiveEventForCells } from "./processor-events.ts";
import { purgeAccounts } from "./purge-accounts.ts";
import { workspaceKeyOf } from "./workspace-key.ts";

/**
 * The front for a service with several cells (docs/design/cells.md). It forwards each request to the cell that has the
 * request's workspace. It has no user-facing text, because the cells write all error responses.
 */
export default {
  fetch: (request, env) => answer(request, env),
  async scheduled(_controller, env) {
    await Promise.all([deliverPending(env), purgeAccounts(env.DIRECTORY), finishMoves(env)]);
  },
} satisfies ExportedHandler<FrontEnv>;

/** The admin operations of all cells. */
export class Admin extends WorkerEntrypoint<FrontEnv> {
  run(name: string, fields: Record<string, unknown>): Promise<CellOutcome> {
    return runInCell(this.env, name, fields);
  }
}

async function answer(request: Request, env: FrontEnv): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === stripePath && request.method === "POST") return receiveEventForCells(request, env);
  if (/^\/verify\/./.test(pathname)) return retryWhileSwitching(env.DIRECTORY, () => askEach(env, request));
  const named = await workspaceKeyOf(request);
  return named ? answerNamed(env, request, named) : forwardToAny(env, request);
}

/** Returns a copy with a body that can be sent again. A request without a body doesn't need a copy. */
const copyOf = (request: Request): Request => (request.body === null ? request : request.clone());

/** Whether a cell that no longer has the workspace, or is moving it, may respond like this. */
const mayHaveMoved = ({ by }: WorkspaceKey, { status }: Response): boolean =>
  by === "token" ? status === 401 || status === 503 : status >= 400 && status !== 429;

async function answerNamed(env: FrontEnv, request: Request, named: WorkspaceKey): Promise<Response> {
  const known = rememberedCell(named);
  if (known === undefined) return lookUpAndPass(env, request, named);
  const again = copyOf(request);
  const response = await forward(env, known, request).catch(() => undefined);
  if (response && !mayHaveMoved(named, response)) return response;
  // The workspace may have moved, or may be moving now.
  const cell = await findCell(env.DIRECTORY, named).catch(() => known);
  if (cell === known || cell === null) return response ?? refuseAsUnavailable(env, again);
  return lookUpAndPass(env, again, named);
}

async function lookUpAndPass(env: FrontEnv, request: Request, named: WorkspaceKey): Promise<Response> {
  const again = copyOf(request);
  try {
    const cell = await findCell(env.DIRECTORY, named);
    if (cell !== null) {
      rememberCell(named, cell);
      return await forward(env, cell, request);
    }
    // Older links, which do not begin with the workspace's prefix, belong to the first cell.
    if (named.by === "prefix") return await forward(env, cellsOf(env)[0], request);
    return forwardToAny(env, request, named.by === "token" ? { token: "unknown" } : {});
  } catch {
    return refuseAsUnavailable(env, again);
  }
}

/** Asks each cell, because a proof does not identify its workspace. */
async function askEach(env: FrontEnv, request: Request): Promise<Response> {
  let refused: Response | undefined;
  let missing: Response | undefined;
  for (const cell of cellsOf(env)) {
    const response = await forward(env, cell, request.clone()).catch(() => refuseAsUnavailable(env, request));
    if (response.status >= 500) refused ??= response;
    else if (response.status === 404) missing ??= response;
    else return response;
  }
  return refused ?? missing ?? refuseAsUnavailable(env, request);
}
