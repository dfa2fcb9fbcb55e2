import { getTableColumns, is, SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";

/** Whether the column must never appear in the audit log. */
const isSecret = (name: string) => /encrypted|hash/.test(name);

/**
 * Adds each changed column's old value (`before`) and new value (`after`) to an entry's details. The entry must be
 * selected from the table before the change.
 */
export function withBeforeAndAfter(table: SQLiteTable, set: object, details: object): SQL {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  const changed = Object.entries(set).flatMap(([name, value]) => {
    const column = columns[name];
    return column === undefined || value === undefined || isSecret(name) ? [] : [{ name, column, value }];
  });
  const before = changed.flatMap(({ name, column }) => [sql`${name}`, asJson(column, sql`${column}`)]);
  const after = changed.flatMap(({ name, column, value }) => [
    sql`${name}`,
    asJson(column, is(value, SQL) ? value : sql`${sql.param(value, column)}`),
  ]);
  const [was, becomes] = [before, after].map((pairs) => sql`json_object(${sql.join(pairs, sql`, `)})`);
  return changed.length === 0
    ? sql`${JSON.stringify(details)}`
    : sql`json_set(${JSON.stringify(details)}, '$.before', ${was}, '$.after', ${becomes})`;
}

/** Converts a column's value for JSON, because SQLite stores booleans as numbers and JSON as text. */
function asJson(column: SQLiteColumn, value: SQL): SQL {
  if (column.dataType === "boolean")
    return sql`json(iif(${value} IS NULL, 'null', iif(${value}, 'true', 'false')))`;
  return column.dataType === "json" ? sql`json(${value})` : value;
}
