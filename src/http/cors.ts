const allowedHeaders = "authorization, apikey, content-type, idempotency-key";
const exposedHeaders =
  "RateLimit-Limit, RateLimit-Policy, RateLimit-Reset, Retry-After, X-Request-Id, Deprecation, Sunset";
const preflightSeconds = 86_400;

/** Reflects the Origin, also the literal `null`: partners authenticate by token, not by cookie (specification 4.5). */
export function allowOrigin(headers: Headers, origin: string | null): void {
  headers.append("Vary", "Origin");
  if (origin === null) return;
  headers.set("Access-Control-Allow-Origin", origin);
  headers.set("Access-Control-Expose-Headers", exposedHeaders);
}

/** The answer of a preflight, for the methods that the path knows. */
export const preflight = (methods: readonly string[]): Response =>
  new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": [...methods, "OPTIONS"].join(", "),
      "Access-Control-Allow-Headers": allowedHeaders,
      "Access-Control-Max-Age": String(preflightSeconds),
    },
  });
