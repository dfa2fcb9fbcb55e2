import type { Context, MiddlewareHandler } from "hono";
import { refuse } from "../../contract/refusal.ts";
import { refusedCall } from "./refused-call.ts";

const preflightSeconds = 86_400;

/**
 * Browsers send the session cookie with each call, so only pages from known origins can make calls (contract S11). A
 * call with any other Origin, including `null`, is refused without CORS headers.
 */
export function knownOrigins(allowed: (c: Context) => string): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header("origin");
    const site = c.req.header("sec-fetch-site");
    const known = [
      new URL(c.req.url).origin,
      ...allowed(c)
        .split(",")
        .map((one) => one.trim()),
    ];
    const isKnown = origin !== undefined && known.includes(origin);
    const isForeign = origin === undefined ? site === "cross-site" || site === "same-site" : !isKnown;
    if (c.req.method === "OPTIONS") c.res = new Response(null, { status: 204 });
    else if (isForeign && c.req.method !== "GET") c.res = refusedCall(refuse("origin_not_allowed"));
    else await next();
    c.res.headers.append("Vary", "Origin");
    if (isKnown)
      for (const [name, value] of Object.entries(corsHeaders(origin))) c.res.headers.set(name, value);
  };
}

const corsHeaders = (origin: string) => ({
  "Access-Control-Allow-Origin": origin,
  "Access-Control-Allow-Credentials": "true",
  "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
  "Access-Control-Allow-Headers": "content-type, idempotency-key",
  "Access-Control-Expose-Headers": "X-Request-Id, Retry-After, Server-Timing",
  "Access-Control-Max-Age": String(preflightSeconds),
});
