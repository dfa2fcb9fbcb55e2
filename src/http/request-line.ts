import type { Context, MiddlewareHandler } from "hono";
import { type RequestNotes, withRequestNotes } from "../platform/log.ts";

/**
 * Writes one log line per request (contract R13). It has only the path template, because paths, queries, headers and
 * bodies may contain personal data or secrets.
 */
export const requestLine: MiddlewareHandler<{
  Bindings: Partial<Pick<Env, "VERSION">>;
  Variables: { requestId: string };
}> = async (c, next) => {
  const startedMs = Date.now();
  const requestId = c.get("requestId");
  const notes: RequestNotes = {};
  await withRequestNotes(requestId, notes, next);
  const { d1_ms = 0, coordinator_ms = 0, waited_ms = 0 } = notes;
  // A Worker's clock advances only on I/O, so this is the time spent on round trips.
  const duration_ms = Date.now() - startedMs - waited_ms;
  c.res.headers.set(
    "Server-Timing",
    `d1;dur=${d1_ms}, coordinator;dur=${coordinator_ms}, total;dur=${duration_ms}`,
  );
  const line = {
    request_id: requestId,
    method: c.req.method,
    route: notes.route ?? routeOf(c),
    status: c.res.status,
    duration_ms,
    d1_trips: notes.d1_trips ?? 0,
    d1_ms,
    coordinator_ms,
    organization_id: notes.organization_id ?? null,
    token_prefix: notes.token_prefix ?? null,
    code: notes.code ?? null,
    replay: notes.replay ?? false,
    version: c.env.VERSION?.id ?? null,
  };
  // The line has no control characters and already has an id, so plain JSON is enough.
  console.log(JSON.stringify(line));
};

/** Returns the path template as in the OpenAPI document; null if no handler handled the request. */
const routeOf = ({ req: { routePath } }: Context): string | null =>
  routePath.includes("*") ? null : routePath.replaceAll(/:(\w+)/g, "{$1}");
