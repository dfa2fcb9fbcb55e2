import type { Query, Row } from "../db/query.ts";

/** A row that an earlier request made, with that request's fingerprint. */
export interface Recalled {
  fingerprint: string | null;
  answer: object;
}

/** Reads one row by `sql` as what an earlier attempt of a request made. */
export const recalled = (
  sql: string,
  params: readonly unknown[],
  answer: (row: Row) => object,
): Query<Recalled | null> => ({
  sql,
  params,
  read: ([row]) => (row ? { fingerprint: row.request_fingerprint, answer: answer(row) } : null),
});
