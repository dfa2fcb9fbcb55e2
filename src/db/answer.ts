import { type Column, type GetColumnData, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type * as z from "zod";
import { fromMinor } from "../contract/money.ts";
import type { RowOf } from "./build.ts";

type Columns<T extends SQLiteTable> = T["_"]["columns"];
type Data<C> = C extends Column ? GetColumnData<C> : never;

/**
 * The part of a response that comes from a table: fields that are columns, and amounts, which are columns in
 * minor units.
 */
export type Answer<T extends SQLiteTable, Shape> = {
  [K in keyof Shape & keyof Columns<T>]: Data<Columns<T>[K]>;
} & {
  [K in keyof Shape & string as `${K}_minor` extends keyof Columns<T> ? K : never]: Data<
    Columns<T>[`${K}_minor` & keyof Columns<T>]
  >;
};

/**
 * Fields read from columns with other names, or from other tables by a subselect. A field with a column's name
 * replaces the column.
 */
export type More = Record<string, SQL.Aliased>;

/**
 * Reads the response that `schema` documents from a table: a field is the column with its name; an amount is
 * the column `…_minor`, as a decimal of the row's currency. A new column and its field thus need no other
 * change.
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
  /**
   * Changes the row in place, because only this reader has it. The one cast is safe: the selection gives the
   * row these fields.
   */
  const read = (found: Record<string, unknown>): Answer<T, Shape> & RowOf<M> => {
    for (const field of amounts)
      if (found[field] !== null) found[field] = fromMinor(Number(found[field]), String(found.currency));
    return found as Answer<T, Shape> & RowOf<M>;
  };
  return { selection, read };
}
