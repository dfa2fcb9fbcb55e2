import { type Refusal, refuse } from "../contract/failures.ts";
import { limits } from "../contract/limits.ts";

/** The rate headers of every answer that was counted (specification 8; RateLimit-Remaining is never sent). */
export const rateHeaders = (requestsPerMinute: number, resetSeconds: number): Record<string, string> => ({
  "RateLimit-Limit": String(requestsPerMinute),
  "RateLimit-Policy": `${requestsPerMinute};w=${limits.rateWindowSeconds}`,
  "RateLimit-Reset": String(resetSeconds),
});

/** The 429 of step 7. */
export const rateLimited = (resetSeconds: number): Refusal =>
  refuse(
    "rate_limit_exceeded",
    { retry_after_seconds: resetSeconds },
    { "Retry-After": String(resetSeconds) },
  );

export const errorResponse = (refusal: Refusal): Response =>
  Response.json(refusal.body(), { status: refusal.status, headers: { ...refusal.headers } });
