import { type Column, type GetColumnData, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type * as z from "zod";
import { fromMinor } from "../contract/money.ts";
import type { RowOf } from "./build.ts";

type Columns<T extends SQLiteTable> = T["_"]["columns"];
type Data<C> = C extends Column ? GetColumnData<C> : never;

/** What a table says of an answer: its fields that are columns, and its amounts, which are columns in minor units. */
export type Answer<T extends SQLiteTable, Shape> = {
  [K in keyof Shape & keyof Columns<T>]: Data<Columns<T>[K]>;
} & {
  [K in keyof Shape & string as `${K}_minor` extends keyof Columns<T> ? K : never]: Data<
    Columns<T>[`${K}_minor` & keyof Columns<T>]
  >;
};

/** Columns of other names, or of other tables by a subselect; under the name of a column, what stands in its place. */
export type More = Record<string, SQL.Aliased>;

/**
 * Reads the answer that `schema` documents out of a table: a field is the column of its name, an amount the column
 * `…_minor`, as a decimal of the row's currency. So a new column and its field need no other change.
 */
export function answerOf<T extends SQLiteTable, Shape extends z.ZodRawShape, M extends More>(
  table: T,
  schema: z.ZodObject<Shape>,
  more: M,
) {
  const columns = getTableColumns(table);
  const selection: Record<string, SQLiteColumn | SQL.Aliased> = { ...more };
  const amounts: string[] = [];
  for (const field of Object.keys(schema.shape).filter((name) => !Object.hasOwn(more, name))) {
    const [column, minor] = [columns[field], columns[`${field}_minor`]];
    if (column) selection[field] = column;
    else if (minor) {
      selection[field] = sql`${minor}`.as(field);
      amounts.push(field);
    }
  }
  /** In place, since the row is its reader's. The one cast: the selection above gives the row these fields. */
  const read = (found: Record<string, unknown>): Answer<T, Shape> & RowOf<M> => {
    for (const field of amounts)
      if (found[field] !== null) found[field] = fromMinor(Number(found[field]), String(found.currency));
    return found as Answer<T, Shape> & RowOf<M>;
  };
  return { selection, read };
}
