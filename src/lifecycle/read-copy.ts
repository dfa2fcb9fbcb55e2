import { sql } from "drizzle-orm";
import { rows } from "../db/build.ts";
import { run } from "../db/query.ts";
import { addRows, type CopiedRow, copiedColumns } from "./complete-copy.ts";
import { type OwnRows, selectOwn } from "./rows-of-organization.ts";

/** A table, how many of its rows were read, their digest, and the last row's key. */
export interface Reading {
  rows: number;
  digest: string;
  after: readonly unknown[];
}

/** One page of a table as the database stores it, and where the next one begins; `isLast`: it is the table's last. */
export async function readPage(
  db: D1Database,
  organizationId: string,
  own: OwnRows,
  { rows: before, digest, after }: Reading,
  limit: number,
) {
  const columns = copiedColumns(own);
  const keys = own.key.map((column, index) => sql`${column} AS ${sql.identifier(`key_${index}`)}`);
  const page = { organizationId, limit, ...(after.length > 0 && { after }) };
  const found: CopiedRow[] = await run(db, rows({}, selectOwn(own, [...columns, ...keys], page)));
  const last = found.at(-1);
  const reading = {
    rows: before + found.length,
    digest: addRows(digest, own, found),
    after: own.key.map((_, index) => last?.[`key_${index}`]),
  };
  for (const row of found) for (const index of own.key.keys()) delete row[`key_${index}`];
  return { found, reading, isLast: found.length < limit };
}
