import { type Column, type GetColumnData, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type * as z from "zod";
import { fromMinor } from "../contract/money.ts";
import type { RowOf } from "./build.ts";

type Columns<T extends SQLiteTable> = T["_"]["columns"];
type Data<C> = C extends Column ? GetColumnData<C> : never;

/** The response fields that come from a table: its columns, and amounts converted from minor units. */
export type Answer<T extends SQLiteTable, Shape> = {
  [K in keyof Shape & keyof Columns<T>]: Data<Columns<T>[K]>;
} & {
  [K in keyof Shape & string as `${K}_minor` extends keyof Columns<T> ? K : never]: Data<
    Columns<T>[`${K}_minor` & keyof Columns<T>]
  >;
};

/**
 * Fields read from columns with other names, or from other tables by a subquery. They replace columns of the same name.
 */
export type ExtraColumns = Record<string, SQL.Aliased>;

/**
 * Selects the fields of `schema` from a table. Each field is read from the column with its name; an amount is read from
 * the column `…_minor` and converted to a decimal in the row's currency.
 */
export function answerOf<T extends SQLiteTable, Shape extends z.ZodRawShape, M extends ExtraColumns>(
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
  /** Changes the row in place, because nothing else reads it. The cast is safe: the selection returns these fields. */
  const read = (found: Record<string, unknown>): Answer<T, Shape> & RowOf<M> => {
    for (const field of amounts)
      if (found[field] !== null) found[field] = fromMinor(Number(found[field]), String(found.currency));
    return found as Answer<T, Shape> & RowOf<M>;
  };
  return { selection, read };
}
