import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { limits } from "../contract/limits.ts";
import type { ColumnOf, RowNamed, Rows } from "./trigger.ts";

/** What holds for the rows of a table, no matter who writes them: declared beside the table, kept by triggers. */
export interface TableRules<T extends SQLiteTable = SQLiteTable> {
  table: T;
  /** updated_at moves in the statement that changes a row, never backwards; with these columns, or when … */
  stamped?: true | { of?: readonly ColumnOf<T>[]; when?(rows: Rows<T>): SQL };
  /** By how much a row moves counters of its organization, as it comes and goes. */
  counted?: {
    by: Partial<Record<Counter, number | Amount<T>>>;
    when?(row: RowNamed<T>): SQL;
  };
  /** Every UPDATE but an erasure's is refused, and with `from` only once a row is that far. */
  writtenOnce?: true | { from(row: RowNamed<T>): SQL };
  /** Every DELETE but an erasure's is refused; no other row takes the place of a row either. */
  kept?: true;
  /** No other row takes the place of a row (OR REPLACE), which is deleted by rules of its own. */
  notReplaced?: true;
  /** Other unique columns, by which a row of another id is not replaced either. */
  unique?: readonly ColumnOf<T>[];
}

type Counter = "record_count" | "storage_bytes" | "deliverable_count";

/** Written as a method, like the functions above: so the rules of one table pass as rules of any. */
type Amount<T extends SQLiteTable> = { of(row: RowNamed<T>): SQL }["of"];

/** Rules typed by the columns of their table. The cast: their readers give them rows of that table. */
export const rules = <T extends SQLiteTable>(table: T, declared: Omit<TableRules<T>, "table">): TableRules =>
  ({ table, ...declared }) as TableRules<SQLiteTable>;

export const oneRecord = { by: { record_count: 1 } };

/** Parts count one for every ten. */
export const oneForTenParts = {
  ...oneRecord,
  when: ({ position }: { position: SQL }) =>
    sql`${position} % ${limits.partsOfRecord} = ${limits.partsOfRecord} - 1`,
};
