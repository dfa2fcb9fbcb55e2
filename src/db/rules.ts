import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { limits } from "../contract/limits.ts";
import type { ColumnOf, RowNamed, Rows } from "./trigger.ts";

/** Rules for a table's rows, declared next to the table. Triggers enforce them for every writer. */
export interface TableRules<T extends SQLiteTable = SQLiteTable> {
  table: T;
  /**
   * updated_at advances in the statement that changes a row, never backwards: on any change, on changes of
   * these columns, or on a condition.
   */
  stamped?: true | { of?: readonly ColumnOf<T>[]; when?(rows: Rows<T>): SQL };
  /** By how much an inserted or deleted row changes its organization's counters. */
  counted?: {
    by: Partial<Record<Counter, number | Amount<T>>>;
    when?(row: RowNamed<T>): SQL;
  };
  /** Refuses every UPDATE except an erasure's; with `from`, only once that condition holds. */
  writtenOnce?: true | { from(row: RowNamed<T>): SQL };
  /** Refuses every DELETE except an erasure's, and every replacement of a row. */
  kept?: true;
  /** Refuses every replacement of a row (OR REPLACE); the table's own rules cover deletion. */
  notReplaced?: true;
  /** Further unique columns by which a row with another id must not be replaced. */
  unique?: readonly ColumnOf<T>[];
}

type Counter = "record_count" | "storage_bytes" | "deliverable_count";

/** A method, like the functions above, so that rules for one table are assignable to rules for any table. */
type Amount<T extends SQLiteTable> = { of(row: RowNamed<T>): SQL }["of"];

/** Rules typed by their table's columns. The cast is safe: they are only applied to rows of that table. */
export const rules = <T extends SQLiteTable>(table: T, declared: Omit<TableRules<T>, "table">): TableRules =>
  ({ table, ...declared }) as TableRules<SQLiteTable>;

export const oneRecord = { by: { record_count: 1 } };

/** Every ten parts count as one record. */
export const oneForTenParts = {
  ...oneRecord,
  when: ({ position }: { position: SQL }) =>
    sql`${position} % ${limits.partsOfRecord} = ${limits.partsOfRecord} - 1`,
};
