import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { limits } from "../contract/limits.ts";
import type { ColumnOf, RowNamed, Rows } from "./trigger.ts";

/** Rules for a table's rows, declared next to the table. Triggers enforce them for every writer. */
export interface TableRules<T extends SQLiteTable = SQLiteTable> {
  table: T;
  /**
   * The statement that changes a row advances its updated_at, which never goes back. This applies to any change, to
   * changes of these columns, or if a condition is met.
   */
  stamped?: true | { of?: readonly ColumnOf<T>[]; when?(rows: Rows<T>): SQL };
  /** How much an inserted or deleted row adds to or subtracts from its organization's counters. */
  counted?: {
    by: Partial<Record<Counter, number | Amount<T>>>;
    when?(row: RowNamed<T>): SQL;
  };
  /** Rejects every UPDATE except during an erasure. With `from`, only once that condition is met. */
  writtenOnce?: true | { from(row: RowNamed<T>): SQL };
  /** Rejects every DELETE except during an erasure, and every replacement of a row. */
  kept?: true;
  /** Rejects every replacement of a row (OR REPLACE). The table's other rules cover deletion. */
  notReplaced?: true;
  /** Other unique columns through which a row with a different id must not be replaced. */
  unique?: readonly ColumnOf<T>[];
}

type Counter = "record_count" | "storage_bytes" | "deliverable_count";

/** A method, like the functions above, so that the rules for one table are assignable to the rules for any table. */
type Amount<T extends SQLiteTable> = { of(row: RowNamed<T>): SQL }["of"];

/** Rules typed by their table's columns. The cast is safe: rules are only applied to rows of that table. */
export const rules = <T extends SQLiteTable>(table: T, declared: Omit<TableRules<T>, "table">): TableRules =>
  ({ table, ...declared }) as TableRules<SQLiteTable>;

export const oneRecord = { by: { record_count: 1 } };

/** A record's parts, such as invoice lines, count as one record for every ten. */
export const oneRecordPerTenParts = {
  ...oneRecord,
  when: ({ position }: { position: SQL }) =>
    sql`${position} % ${limits.partsOfRecord} = ${limits.partsOfRecord} - 1`,
};
