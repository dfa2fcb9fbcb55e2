import { type Column, is, Placeholder, type SQL, sql } from "drizzle-orm";
import { QueryBuilder, SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import type { Query, Row } from "./query.ts";

const dialect = new SQLiteSyncDialect();

/** Builds selects without a database; only the text and the order of parameters are taken from it. */
export const select = new QueryBuilder();

/**
 * Compiles a drizzle query when first used, and only then: building one costs more than running it. The values of
 * its `sql.placeholder`s are given with every use.
 */
export function prepared<T, Values extends Record<string, unknown>>(
  build: () => { getSQL(): SQL },
  read: (rows: readonly Row[]) => T,
): (values: Values) => Query<T> {
  let compiled: { sql: string; params: ((values: Values) => unknown)[] } | undefined;
  return (values) => {
    compiled ??= compile(build().getSQL());
    return { sql: compiled.sql, params: compiled.params.map((bound) => bound(values)), read };
  };
}

/** The text of a query, and where each of its parameters comes from. */
function compile(query: SQL) {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return {
    sql: text,
    params: params.map((param) =>
      is(param, Placeholder)
        ? (values: Record<string, unknown>) => values[param.name as string]
        : () => param,
    ),
  };
}

/** The keyset condition of a page: a row value, so that any page costs its own rows and no more. */
export const startingAt = (table: { updated_at: Column; id: Column }): SQL =>
  sql`(${table.updated_at}, ${table.id}) >= (${sql.placeholder("updatedAt")}, ${sql.placeholder("id")})`;
