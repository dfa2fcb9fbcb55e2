import { type Failure, failures, type Refusal, refuse } from "../contract/failures.ts";
import { limits } from "../contract/limits.ts";
import { note } from "../platform/log.ts";

/** The rate headers of every answer to a known token (CONTRACT 1, step 5). */
export const windowHeaders = (requestsPerMinute: number): Record<string, string> => ({
  "RateLimit-Limit": String(requestsPerMinute),
  "RateLimit-Policy": `${requestsPerMinute};w=${limits.rateWindowSeconds}`,
});

/** The rate headers of every answer that was counted (specification 8; RateLimit-Remaining is never sent). */
export const rateHeaders = (requestsPerMinute: number, resetSeconds: number): Record<string, string> => ({
  ...windowHeaders(requestsPerMinute),
  "RateLimit-Reset": String(resetSeconds),
});

/** The 429 of step 7. */
export const rateLimited = (resetSeconds: number): Refusal =>
  refuse(
    "rate_limit_exceeded",
    { retry_after_seconds: resetSeconds },
    { "Retry-After": String(resetSeconds) },
  );

/** Whether the same request may succeed later: kept client libraries retry every 409 otherwise. */
const isRetryable = ({ name, status }: Refusal): boolean =>
  [429, 500, 502, 503].includes(status) || name === "idempotency_key_in_progress";

/** A 401 names the scheme of the credentials that are missing (RFC 9110, 15.5.2). */
const challenge = { "WWW-Authenticate": "Bearer" };

export function errorResponse(refusal: Refusal): Response {
  const { status } = refusal;
  const { code } = failures[refusal.name] as Failure;
  note({ code });
  return Response.json(refusal.body(), {
    status,
    headers: {
      ...refusal.headers,
      ...(status === 401 ? challenge : {}),
      "X-Should-Retry": String(isRetryable(refusal)),
    },
  });
}
