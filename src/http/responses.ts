import { limits } from "../contract/limits.ts";
import { type Refusal, refuse } from "../contract/refusal.ts";
import { note } from "../platform/log.ts";

/** Returns the rate limit headers for every response to a known token (contract R4). */
export const windowHeaders = (requestsPerMinute: number): Record<string, string> => ({
  "RateLimit-Limit": String(requestsPerMinute),
  "RateLimit-Policy": `${requestsPerMinute};w=${limits.rateWindowSeconds}`,
});

/** Removes the rate limit headers, because the token turned out to be unknown. */
export const noWindowHeaders = { "RateLimit-Limit": undefined, "RateLimit-Policy": undefined };

/** Returns the rate limit headers for every counted response (contract R4). */
export const rateHeaders = (requestsPerMinute: number, resetSeconds: number): Record<string, string> => ({
  ...windowHeaders(requestsPerMinute),
  "RateLimit-Reset": String(resetSeconds),
});

export const rateLimited = (resetSeconds: number): Refusal =>
  refuse(
    "rate_limit_exceeded",
    { retry_after_seconds: resetSeconds },
    { "Retry-After": String(resetSeconds) },
  );

/** Whether retrying the request may succeed. Without this, existing client libraries retry every 409. */
const isRetryable = ({ name, status }: Refusal): boolean =>
  [429, 500, 502, 503].includes(status) || name === "idempotency_key_in_progress";

/** A 401 names the expected authentication scheme (RFC 9110, 15.5.2). */
const challenge = { "WWW-Authenticate": "Bearer" };

/** Returns the error body (contract E1): only `error` and the machine-readable fields. */
export const bodyOf = ({ text, fields }: Refusal): Record<string, unknown> => ({ error: text, ...fields });

/** The statuses of rejected operations (contract S9). Any other conflict becomes a 400. */
const operationStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 429, 500, 502, 503]);

export function statusOfOperation({ name, status, code }: Refusal): Refusal["status"] {
  if (code === "upgrade_required") return 403;
  // Exports are started only from pages (contract N17).
  if (name === "export_running") return status;
  if (code === "idempotency_key_reused" || code === "idempotency_key_in_progress") return 409;
  return operationStatuses.has(status) ? status : 400;
}

export function errorResponse(refusal: Refusal): Response {
  const { status, code } = refusal;
  note({ code, refusal });
  return Response.json(bodyOf(refusal), {
    status,
    headers: {
      ...refusal.headers,
      ...(status === 401 ? challenge : {}),
      "X-Should-Retry": String(isRetryable(refusal)),
    },
  });
}
