import type { Context, MiddlewareHandler } from "hono";
import { logLine, withRequestFacts } from "../platform/log.ts";

/**
 * One line in the log for each request (CONTRACT 9), written behind its answer. Of the path only the template stands in
 * it: what a path, query, header or body holds may be personal or secret.
 */
export const requestLine: MiddlewareHandler<{ Variables: { requestId: string } }> = async (c, next) => {
  const startedMs = Date.now();
  const requestId = c.get("requestId");
  const facts = await withRequestFacts(requestId, next);
  // The clock of a Worker moves with its trips: this is the time that they took.
  const duration_ms = Date.now() - startedMs;
  const { d1_ms = 0, gate_ms = 0 } = facts;
  c.res.headers.set("Server-Timing", `d1;dur=${d1_ms}, gate;dur=${gate_ms}, total;dur=${duration_ms}`);
  const line = {
    request_id: requestId,
    method: c.req.method,
    route: facts.route ?? routeOf(c),
    status: c.res.status,
    duration_ms,
    d1_trips: facts.d1_trips ?? 0,
    organization_id: facts.organization_id ?? null,
    token_prefix: facts.token_prefix ?? null,
    code: facts.code ?? null,
    replay: facts.replay ?? false,
  };
  c.executionCtx.waitUntil(scheduler.wait(0).then(() => logLine(line)));
};

/** The path's template as the OpenAPI document writes it; null where no handler took the request. */
function routeOf(c: Context): string | null {
  const path = c.req.routePath;
  return path.includes("*") ? null : path.replaceAll(/:(\w+)/g, "{$1}");
}
