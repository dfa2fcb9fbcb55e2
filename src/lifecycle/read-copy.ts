import { sql } from "drizzle-orm";
import { rows } from "../db/build.ts";
import { mapped, type Query, run } from "../db/query.ts";
import { addRows, type CopiedRow, copiedColumns } from "./complete-copy.ts";
import { type OwnRows, selectOwn } from "./rows-of-organization.ts";

/** The number of rows read from a table, their digest, and the last row's key. */
export interface Reading {
  rows: number;
  digest: string;
  after: readonly unknown[];
}

interface Page {
  found: CopiedRow[];
  reading: Reading;
  /** Whether this is the table's last page. */
  isLast: boolean;
}

/** Reads one page of a table as the database stores it. */
export function page(
  organizationId: string,
  own: OwnRows,
  { rows: before, digest, after }: Reading,
  limit: number,
): Query<Page> {
  const columns = copiedColumns(own);
  const keys = own.key.map((column, index) => sql`${column} AS ${sql.identifier(`key_${index}`)}`);
  const range = { organizationId, limit, ...(after.length > 0 && { after }) };
  const reading: Query<CopiedRow[]> = rows({}, selectOwn(own, [...columns, ...keys], range));
  return mapped(reading, (found) => {
    const last = found.at(-1);
    const next = own.key.map((_, index) => last?.[`key_${index}`]);
    for (const row of found) for (const index of own.key.keys()) delete row[`key_${index}`];
    return {
      found,
      reading: { rows: before + found.length, digest: addRows(digest, own, found), after: next },
      isLast: found.length < limit,
    };
  });
}

export const readPage = (
  db: D1Database,
  organizationId: string,
  own: OwnRows,
  before: Reading,
  limit: number,
): Promise<Page> => run(db, page(organizationId, own, before, limit));
