import type { FieldProblem } from "../problems.ts";

/** One refusal, for all entry points. The parameter types of its functions determine which details it requires. */
export interface RefusalEntry {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 416 | 422 | 429 | 500 | 502 | 503;
  readonly text: string | ((details: never) => string);
  /** The text for the request log, if `text` repeats a name that the caller chose. */
  readonly logged?: (details: never) => string;
  /** What to do about it. Shown by operations. */
  readonly hint?: string | ((details: never) => string | null);
  /** The text for a client's page, if `text` is meant for a program or an admin. */
  readonly alert?: string;
  /** Machine-readable fields for the API error body (contract E1). */
  readonly code?: string;
  readonly capability?: string;
  readonly resource?: string;
  readonly fields?: (details: never) => Readonly<Record<string, unknown>>;
  /** All problems with the request, if `text` mentions only some of them. */
  readonly problems?: (details: never) => readonly FieldProblem[];
  readonly retryAfterSeconds?: number;
  /** The description in the OpenAPI document. Only partner API refusals have one. */
  readonly meaning?: string;
}

export const oneOf = (names: readonly string[]) => `one of ${names.join(", ")}`;
