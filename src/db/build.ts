import {
  Column,
  type GetColumnData,
  getTableColumns,
  type InferInsertModel,
  is,
  Param,
  Placeholder,
  SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import {
  type SelectedFields,
  type SelectedFieldsFlat,
  SQLiteSyncDialect,
  type SQLiteTable,
} from "drizzle-orm/sqlite-core";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { jsonObject } from "./json-object.ts";
import type { Query, RawRow } from "./query.ts";

/**
 * drizzle only builds the SQL and its parameters; it never connects to a database. Queries run in batches
 * (db/query.ts), which drizzle's own sessions cannot do with prepared queries.
 */
export const build = drizzle(() => Promise.reject(new Error("queries run through db/query.ts")));

const dialect = new SQLiteSyncDialect();

const textOf = (statement: SQLWrapper) => {
  const { sql: text, params } = dialect.sqlToQuery(statement.getSQL());
  return { sql: text, params };
};

/** Builds a statement whose result is ignored. */
export const statement = (built: SQLWrapper): Query<void> => ({ ...textOf(built), read: () => undefined });

/** Returns whether a guarded change found its row. The statement must end with RETURNING. */
export const changesRow = (built: SQLWrapper): Query<boolean> => ({
  ...textOf(built),
  read: (rows) => rows.length > 0,
});

/** The row type of a selection, derived from its columns. For a LEFT JOIN, use `rowsOf`. */
export type RowOf<S extends SelectedFields> = SelectResultFields<S>;

/** Queries the rows of a statement that selects or returns `selection`. Each key is the column's name in the result. */
export const rows = <S extends SelectedFields>(selection: S, built: SQLWrapper): Query<RowOf<S>[]> => ({
  ...textOf(built),
  read: decoder<RowOf<S>>(selection),
});

/** Like `rows`, for at most one row; null if there is none. */
export const row = <S extends SelectedFields>(selection: S, built: SQLWrapper): Query<RowOf<S> | null> => {
  const { read, ...text } = rows(selection, built);
  return { ...text, read: (raw) => read(raw)[0] ?? null };
};

interface Selecting<R> extends SQLWrapper {
  readonly _: { readonly result: R[]; readonly selectedFields: object };
}

/** Queries the rows of a built select. Values are nullable where its joins make them so. */
export const rowsOf = <R>(built: Selecting<R>): Query<R[]> => ({
  ...textOf(built),
  read: decoder<R>(built._.selectedFields),
});

/** Like `rowsOf`, for at most one row; null if there is none. */
export const rowOf = <R>(built: Selecting<R>): Query<R | null> => {
  const { read, ...text } = rowsOf(built);
  return { ...text, read: (raw) => read(raw)[0] ?? null };
};

/** Encodes a selection as one JSON object, so that a row can be stored, and decodes the stored JSON. */
export function asJson<S extends SelectedFieldsFlat>(selection: S) {
  const fields = Object.entries(selection).map(([name, field]) => [
    name,
    is(field, SQL.Aliased) ? field.sql : sql`${field}`,
  ]);
  const json = jsonObject(Object.fromEntries(fields));
  const decode = decoder<RowOf<S>>(selection);
  // A row that an earlier release stored lacks the fields that were added since.
  const missing = Object.fromEntries(fields.map(([name]) => [name, null]));
  return { json, read: (text: string) => decode([{ ...missing, ...JSON.parse(text) }])[0] as RowOf<S> };
}

/** Selects a column under another name, with its type. */
export const named = <C extends Column>(column: C, name: string): SQL.Aliased<GetColumnData<C>> =>
  sql<GetColumnData<C>>`${column}`.mapWith(column).as(name);

/** Like `named`, for a table that is LEFT JOINed. */
export const nullable = <C extends Column>(column: C, name: string): SQL.Aliased<GetColumnData<C> | null> =>
  sql<GetColumnData<C> | null>`${column}`.mapWith(column).as(name);

/**
 * Decodes columns that hold booleans and JSON. This is the only cast of rows. A statement and its selection are built
 * together, and test/database/schema.test.ts checks the selection's types against the database.
 */
function decoder<R>(selection: object): (raw: readonly RawRow[]) => R[] {
  const decoders = Object.entries(selection).flatMap(([name, field]) => {
    const decode = decoderOf(field);
    return decode ? [{ name, decode }] : [];
  });
  return (raw) => {
    for (const record of raw) {
      for (const { name, decode } of decoders) {
        if (record[name] !== null) record[name] = decode(record[name]);
      }
    }
    return raw as R[];
  };
}

/** Returns undefined if the value needs no decoding. drizzle keeps the argument of `mapWith` in `decoder`. */
function decoderOf(field: unknown): ((value: unknown) => unknown) | undefined {
  const column = is(field, SQL.Aliased) ? Reflect.get(field.sql, "decoder") : field;
  if (!is(column, Column) || column.mapFromDriverValue === Column.prototype.mapFromDriverValue)
    return undefined;
  return (value) => column.mapFromDriverValue(value);
}

/** The placeholders of a query, for values that are bound on each use. */
export type Placeholders<Values> = { readonly [K in keyof Values]: Placeholder };

const placeholders = <Values>(): Placeholders<Values> =>
  new Proxy({} as Placeholders<Values>, { get: (_, name) => sql.placeholder(String(name)) });

/** Builds a query once, on first use, because building costs more than running. Each use binds its own values. */
export function prepared<Values extends object, T>(
  make: (placeholders: Placeholders<Values>) => Query<T>,
): (values: Values) => Query<T> {
  let built: { query: Query<T>; params: ((values: Values) => unknown)[] } | undefined;
  return (values) => {
    built ??= withPlaceholders(make(placeholders()));
    return { ...built.query, params: built.params.map((bound) => bound(values)) };
  };
}

/** Takes each parameter of a query from the values of this use, or from the query itself. */
const withPlaceholders = <Values extends object, T>(query: Query<T>) => ({
  query,
  params: query.params.map((param): ((values: Values) => unknown) => {
    if (is(param, Placeholder)) return (values) => Reflect.get(values, String(param.name));
    if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
    const { encoder, value } = param;
    return (values) => {
      const given = Reflect.get(values, String(value.name)) ?? null;
      return given === null ? null : encoder.mapToDriverValue(given);
    };
  }),
});

/** Builds a single-row INSERT, once per set of given columns. `selection` reads the row back. */
export function inserting<T extends SQLiteTable, S extends SelectedFieldsFlat>(table: T, selection?: S) {
  const built = new Map<string, (values: Record<string, unknown>) => Query<RowOf<S> | null>>();
  const columns = Object.entries(getTableColumns(table)).filter(([, column]) => !column.generated);
  const make = (names: readonly string[]) =>
    prepared((bind: Placeholders<Record<string, unknown>>) => {
      const values = Object.fromEntries(names.map((name) => [name, bind[name]]));
      const insert = build.insert(table).values(values as InferInsertModel<T>);
      return selection
        ? row(selection, insert.returning(selection))
        : { ...textOf(insert), read: () => null };
    });
  return (values: InferInsertModel<T>): Query<RowOf<S> | null> => {
    const given: Record<string, unknown> = values;
    const names = columns.flatMap(([name, column]) =>
      given[name] === undefined && column.hasDefault ? [] : [name],
    );
    const key = names.join();
    const insert = built.get(key) ?? make(names);
    built.set(key, insert);
    return insert(given);
  };
}

/** A row's values, typed by the schema or as SQL. */
type ValuesOf<T extends SQLiteTable> = {
  [K in keyof InferInsertModel<T>]: InferInsertModel<T>[K] | SQL;
};

/**
 * Builds `INSERT ... SELECT ...` for some columns, because drizzle can only build it for all columns of a table.
 * `values` are named after their columns. `rest` follows the SELECT list (`FROM`, `WHERE`) and guards the insert.
 */
export function insertSelect<T extends SQLiteTable>(table: T, values: ValuesOf<T>, rest: SQL): SQL {
  const columns = getTableColumns(table);
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => sql.identifier(name));
  const list = given.map(([name, value]) => (is(value, SQL) ? value : sql.param(value, columns[name])));
  return sql`INSERT INTO ${table} (${sql.join(names, sql`, `)}) SELECT ${sql.join(list, sql`, `)} ${rest}`;
}
