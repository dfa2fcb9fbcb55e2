import { cellsOf, type FrontEnv, forwardToAny } from "../../../src/front/cells.ts";
import product from "../../../src/front/worker.ts";
import { cellHeader } from "./cell-header.ts";

export { Admin } from "../../../src/front/worker.ts";

/** The Worker of `npm start -- --cells 2`: the front, direct access to each cell, and the development pages. */
export default {
  fetch: (request, env) => {
    const door = request.headers.get(cellHeader);
    if (door !== null) return throughDoor(env, door, request);
    const { pathname } = new URL(request.url);
    if (pathname === "/dev/email-events") return toEachCell(env, request);
    return pathname.startsWith("/dev/") ? forwardToAny(env, request) : product.fetch(request, env);
  },
  async scheduled(controller, env) {
    const minute = new Request("http://127.0.0.1/dev/minute", { method: "POST" });
    await toEachCell(env, minute);
    await product.scheduled(controller, env);
  },
} satisfies ExportedHandler<FrontEnv>;

/** The cast is safe: the front has a binding for each cell. */
const cellOf = (env: FrontEnv, name: string) => Reflect.get(env, `CELL_${name.toUpperCase()}`) as Fetcher;

function throughDoor(env: FrontEnv, name: string, request: Request): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.delete(cellHeader);
  return cellOf(env, name).fetch(new Request(request, { headers }));
}

async function toEachCell(env: FrontEnv, request: Request): Promise<Response> {
  const names = cellsOf(env);
  const answers = await Promise.all(names.map((name) => cellOf(env, name).fetch(request.clone())));
  for (const answer of answers.slice(1)) await answer.body?.cancel();
  return answers[0] as Response;
}
