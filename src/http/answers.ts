import type { Refusal } from "../contract/failures.ts";
import { limits } from "../contract/limits.ts";

/** The rate headers of every answer that was counted (specification 8; RateLimit-Remaining is never sent). */
export const rateHeaders = (requestsPerMinute: number, resetSeconds: number): Record<string, string> => ({
  "RateLimit-Limit": String(requestsPerMinute),
  "RateLimit-Policy": `${requestsPerMinute};w=${limits.rateWindowSeconds}`,
  "RateLimit-Reset": String(resetSeconds),
});

/** An error of ours after the request was counted: its 500 carries the rate headers like any other answer. */
export class CountedError extends Error {
  readonly headers: Record<string, string>;

  constructor(cause: unknown, headers: Record<string, string>) {
    super("an error after the request was counted", { cause });
    this.headers = headers;
  }
}

export const answered = (body: object, status: number, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers });

export const refused = (refusal: Refusal, headers: Record<string, string> = {}): Response =>
  Response.json(refusal.body(), { status: refusal.status, headers: { ...headers, ...refusal.headers } });
