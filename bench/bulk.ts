import type { Database } from "./database.ts";

/** Inserts many rows quickly by dropping the table's triggers and indexes first and restoring them afterwards. */

const rowsPerStatement = 100_000;

/**
 * Inserts the rows numbered `from` to `to`. The statement selects from `n (i)`, and its first two parameters are the
 * bounds.
 */
export async function fill(
  database: Database,
  { table, insert, from, to }: { table: string; insert: string; from: number; to: number },
  ...params: unknown[]
): Promise<void> {
  const { results } = await database.run(
    "SELECT type, name, sql FROM sqlite_master WHERE tbl_name = ? AND type IN ('trigger', 'index') AND sql NOT NULL",
    table,
  );
  for (const { type, name } of results) await database.run(`DROP ${type} ${name}`);
  for (let first = from; first <= to; first += rowsPerStatement) {
    const last = Math.min(first + rowsPerStatement - 1, to);
    const numbers =
      "WITH RECURSIVE n (i) AS (SELECT cast(? AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?)";
    await database.run(`${numbers} ${insert}`, first, last, ...params);
  }
  for (const { sql } of results) await database.run(String(sql));
}

/** SQL for the UUID of row `i`. Consecutive ids are far apart, so that ids are not in time order. */
export const scatteredId = "printf('%08x-0000-4000-8000-%012x', i * 2654435761 & 0xffffffff, i)";

/** SQL for the timestamp of row `i`, one second after the previous row. */
export const momentOf = (firstSeconds: number): string =>
  `strftime('%Y-%m-%dT%H:%M:%fZ', ${firstSeconds} + i, 'unixepoch')`;
