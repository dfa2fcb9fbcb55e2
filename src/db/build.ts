import {
  Column,
  getTableColumns,
  type InferInsertModel,
  is,
  Placeholder,
  SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { type SelectedFields, SQLiteSyncDialect, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import type { Query, RawRow } from "./query.ts";

/**
 * drizzle as a builder alone: it makes text and parameters out of the schema, and never meets a database. Queries run
 * in batches (db/query.ts), which drizzle's own sessions cannot do with prepared ones.
 */
export const build = drizzle(() => Promise.reject(new Error("queries run through db/query.ts")));

const dialect = new SQLiteSyncDialect();

const textOf = (statement: SQLWrapper) => {
  const { sql: text, params } = dialect.sqlToQuery(statement.getSQL());
  return { sql: text, params };
};

/** A statement whose rows do not matter. */
export const statement = (built: SQLWrapper): Query<void> => ({ ...textOf(built), read: () => undefined });

/** Whether a guarded change found its row; the statement ends in RETURNING. */
export const changesRow = (built: SQLWrapper): Query<boolean> => ({
  ...textOf(built),
  read: (rows) => rows.length > 0,
});

/** The row type of a selection: its columns' types by the schema. Of a LEFT JOIN, use `rowsOf`. */
export type RowOf<S extends SelectedFields> = SelectResultFields<S>;

/** The rows of a statement that selects or returns `selection`; each key is the name of its column in the answer. */
export const rows = <S extends SelectedFields>(selection: S, built: SQLWrapper): Query<RowOf<S>[]> => ({
  ...textOf(built),
  read: decoder<RowOf<S>>(selection),
});

/** The same for at most one row; null if there is none. */
export const row = <S extends SelectedFields>(selection: S, built: SQLWrapper): Query<RowOf<S> | null> => {
  const { read, ...text } = rows(selection, built);
  return { ...text, read: (raw) => read(raw)[0] ?? null };
};

interface Selecting<R> extends SQLWrapper {
  readonly _: { readonly result: R[] };
  getSelectedFields(): object;
}

/** The rows of a built select, with what its joins make nullable. */
export const rowsOf = <R>(built: Selecting<R>): Query<R[]> => ({
  ...textOf(built),
  read: decoder<R>(built.getSelectedFields()),
});

/** The same for at most one row; null if there is none. */
export const rowOf = <R>(built: Selecting<R>): Query<R | null> => {
  const { read, ...text } = rowsOf(built);
  return { ...text, read: (raw) => read(raw)[0] ?? null };
};

/**
 * Reads booleans and JSON out of the columns that hold them. The one cast of rows: a statement and its selection are
 * built together, and test/database/schema.test.ts holds the selection's types against the database.
 */
function decoder<R>(selection: object): (raw: readonly RawRow[]) => R[] {
  const encoded = Object.entries(selection).filter(
    (entry): entry is [string, Column] =>
      is(entry[1], Column) && entry[1].mapFromDriverValue !== Column.prototype.mapFromDriverValue,
  );
  return (raw) => {
    for (const record of raw) {
      for (const [name, column] of encoded) {
        if (record[name] !== null) record[name] = column.mapFromDriverValue(record[name]);
      }
    }
    return raw as R[];
  };
}

/**
 * Builds a query when it is first used, and only then: building one costs more than running it. The values of its
 * `sql.placeholder`s are bound with every use.
 */
export function prepared<Values extends Record<string, unknown>, T>(
  make: () => Query<T>,
): (values: Values) => Query<T> {
  let built: { query: Query<T>; params: ((values: Values) => unknown)[] } | undefined;
  return (values) => {
    built ??= withPlaceholders(make());
    return { ...built.query, params: built.params.map((bound) => bound(values)) };
  };
}

/** Where each parameter of a query comes from: from the values of a use, or from the query itself. */
const withPlaceholders = <Values extends Record<string, unknown>, T>(query: Query<T>) => ({
  query,
  params: query.params.map((param) =>
    is(param, Placeholder) ? (values: Values) => values[String(param.name)] : () => param,
  ),
});

/** What a row is made of: values by the schema's types, or SQL. */
export type ValuesOf<T extends SQLiteTable> = {
  [K in keyof InferInsertModel<T>]: InferInsertModel<T>[K] | SQL;
};

/**
 * `INSERT … SELECT …`, which drizzle can only say for all columns of a table: values by the names of their columns, and
 * what follows the SELECT's list (`FROM`, `WHERE`): the guard of the insert.
 */
export function insertSelect<T extends SQLiteTable>(table: T, values: ValuesOf<T>, rest: SQL): SQL {
  const columns = getTableColumns(table);
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => sql.identifier(name));
  const list = given.map(([name, value]) => (is(value, SQL) ? value : sql.param(value, columns[name])));
  return sql`INSERT INTO ${table} (${sql.join(names, sql`, `)}) SELECT ${sql.join(list, sql`, `)} ${rest}`;
}
