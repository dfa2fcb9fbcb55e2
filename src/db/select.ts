import { and, asc, eq, is, Placeholder, type SQL, sql } from "drizzle-orm";
import {
  QueryBuilder,
  type SelectedFields,
  type SQLiteColumn,
  SQLiteSyncDialect,
  type SQLiteTable,
} from "drizzle-orm/sqlite-core";
import { organizationOfToken } from "./organization.ts";
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

/** A table whose records belong to organizations and are listed by their last change. */
type Listed = SQLiteTable & Record<"organization_id" | "updated_at" | "id", SQLiteColumn>;

/**
 * Records of the token's organization from a position in (updated_at, id), oldest change first. The position is a row
 * value, so that any page costs its own rows and no more.
 */
export const pageOf = <T>(table: Listed, columns: SelectedFields, toRecord: (row: Row) => T) =>
  prepared<T[], { tokenHash: string; updatedAt: string; id: string; limit: number }>(
    () =>
      select
        .select(columns)
        .from(table)
        .where(
          and(
            eq(table.organization_id, organizationOfToken),
            sql`(${table.updated_at}, ${table.id}) >= (${sql.placeholder("updatedAt")}, ${sql.placeholder("id")})`,
          ),
        )
        .orderBy(asc(table.updated_at), asc(table.id))
        .limit(sql.placeholder("limit")),
    (rows) => rows.map(toRecord),
  );

/** One record of the token's organization, null if it has none with this id. */
export const recordOf = <T>(table: Listed, columns: SelectedFields, toRecord: (row: Row) => T) =>
  prepared<T | null, { tokenHash: string; id: string }>(
    () =>
      select
        .select(columns)
        .from(table)
        .where(and(eq(table.id, sql.placeholder("id")), eq(table.organization_id, organizationOfToken))),
    ([row]) => (row ? toRecord(row) : null),
  );
