import type { FieldProblem } from "../problems.ts";

/**
 * One refusal, for every audience. Functions take the refusal's details; which ones a name needs follows from their
 * types.
 */
export interface RefusalEntry {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 416 | 422 | 429 | 500 | 502 | 503;
  readonly text: string | ((details: never) => string);
  /** The same for the request log, if the text repeats a name that the caller made up. */
  readonly logged?: (details: never) => string;
  /** What to do about it, for operations. */
  readonly hint?: string | ((details: never) => string | null);
  /** What a client's page says, if `text` is meant for a program or an admin. */
  readonly alert?: string;
  /** Machine-readable fields of the API's body (contract E1). */
  readonly code?: string;
  readonly capability?: string;
  readonly resource?: string;
  readonly fields?: (details: never) => Readonly<Record<string, unknown>>;
  /** Everything that is wrong with the request, if more is known than the text says. */
  readonly problems?: (details: never) => readonly FieldProblem[];
  readonly retryAfterSeconds?: number;
  /** What it means, for the OpenAPI document; only for what the partner API returns. */
  readonly meaning?: string;
}

export const oneOf = (names: readonly string[]) => `one of ${names.join(", ")}`;
