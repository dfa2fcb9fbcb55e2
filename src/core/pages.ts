import {
  and,
  asc,
  eq,
  getTableColumns,
  getTableName,
  type gte,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  Subquery,
  sql,
} from "drizzle-orm";
import type { SelectedFields, SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { limits } from "../contract/limits.ts";
import type { Scope } from "../contract/scopes.ts";
import { build, type Placeholders, prepared, row, rows } from "../db/build.ts";
import type { Query } from "../db/query.ts";
import { organizationOf } from "../workspace/tokens/organization-of.ts";

/** Filter values by name. A name is a column's, or a key of `conditions` or `bounds`. */
type Filters = Readonly<Record<string, string | undefined>>;

/** A page's start in the sort order (updated_at, id), its size and its filters. */
export interface PageValues {
  tokenHash: string;
  updatedAt: string;
  id: string;
  limit: number;
  filters?: Filters;
}

/** SQL conditions for values of filters that are not columns: `invoiced` -> `true` -> invoice_id IS NOT NULL. */
export type FilterConditions = Readonly<Record<string, Readonly<Record<string, SQL>>>>;

/** Builds the conditions for a boolean column, in the form `flag = 1`, which matches the partial indexes. */
export const flagConditions = (flag: SQLWrapper) => ({ true: sql`${flag} = 1`, false: sql`${flag} = 0` });

/** Filters that bound a column: `from` -> spent_date >= its value. */
export type FilterBounds = Readonly<Record<string, { column: SQLiteColumn; by: typeof gte }>>;

/** Filters without an index, written as `name=value`. The list is scanned for them. */
export type WithoutIndex = readonly string[];

type Listed = SQLiteTable & Record<"organization_id" | "updated_at" | "id", SQLiteColumn>;

interface PagePosition {
  updated_at: string;
  id: string;
}

/**
 * The records of a page. If the page was cut off, `cut` is the position of the first record left out; otherwise it is
 * null.
 */
export interface FoundPage<T> {
  records: T[];
  cut: PagePosition | null;
  /** Reads the position at which the search ended early. Null if the page is full or an index found all its rows. */
  end: Query<PagePosition | null> | null;
}

/** A record's children as JSON. */
export interface Children {
  aggregate: SQL;
  from: SQL;
}

/**
 * Selects the children as a JSON string. Without the empty string, an enclosing JSON function would embed them as JSON.
 */
export const childrenJson = ({ aggregate, from }: Children): SQL<string> =>
  sql`((SELECT ${aggregate} FROM ${from}) || '')`;

/**
 * Selects the children as JSON. NULL if they are too large for a page of many records, because a query result must fit
 * into an isolate's memory.
 */
const smallOf = ({ aggregate, from }: Children): SQL => {
  const maxBytes = sql.raw(String(limits.pageChildrenBytes));
  return sql`(SELECT ${aggregate} FROM ${from} HAVING octet_length(${aggregate}) <= ${maxBytes})`;
};

/** The most records that a page can have and still include all of their children, however large. */
export const pageOfAnyRecords = limits.pageSizeRecords.default;

interface PagesOf<S extends SelectedFields> {
  table: Listed;
  selection: S;
  conditions: FilterConditions;
  /** Bounds on columns in the list's index. They are checked on index entries, without reading the records. */
  bounds: FilterBounds;
  withoutIndex: WithoutIndex;
  /** The scope that a token needs to read the records. */
  scope: Scope;
  /** By field name in the selection. */
  children: Readonly<Record<string, Children>>;
}

/**
 * Filters, ordered by how few records they are likely to match. The index of the rarest given filter is used, and the
 * rows that it finds are checked against the others.
 */
const byRarity = ["number", "external_id", "email", "project_id", "client_id", "user_id"];

const rankOf = (name: string): number => (byRarity.includes(name) ? byRarity.indexOf(name) : byRarity.length);

const rarestFirst = (names: readonly string[]): string[] =>
  names.toSorted((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));

type Values = Omit<PageValues, "filters">;
type Bound = Placeholders<Record<string, unknown> & PageValues>;

interface Find {
  page(values: Values): Query<Record<string, unknown>[]>;
  /** Reads where the search for a page ends; null if one index finds all its rows. */
  end: ((values: Values) => Query<PagePosition | null>) | null;
}

const place = { updated_at: sql<string>`updated_at`.as("updated_at"), id: sql<string>`id`.as("id") };

/** The cast is safe: drizzle's types only lose `limit` because the selection is generic. */
const limited = (found: object, limit: Placeholder): SQLWrapper =>
  (found as { limit(limit: Placeholder): SQLWrapper }).limit(limit);

/** Builds the statements for one set of filters, with the rarest first. */
function pagesBy<S extends SelectedFields>(
  { table, selection, conditions, bounds, withoutIndex, scope }: PagesOf<S>,
  given: readonly [string, string][],
): Find {
  const [rarest] = given;
  const isFound = rarest && !(rarest[0] in bounds) && !withoutIndex.includes(rarest.join("="));
  const onlyBounds = given.length > 0 && given.every(([name]) => name in bounds);
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  /**
   * Returns the filter served by an index (undefined if none), followed by those that are checked on the rows it finds.
   */
  const filtersOf = (bind: Bound): (SQL | undefined)[] => [
    ...(isFound ? [] : [undefined]),
    ...given.map(([name, value]) => {
      const { column, by } = bounds[name] ?? { column: columns[name], by: eq };
      return conditions[name]?.[value] ?? (column && by(column, bind[name]));
    }),
  ];
  /** Compares the position as a row value, so that a page reads only its own rows. */
  const inOrder = (bind: Bound, filter: SQL | undefined) => {
    const position = sql`(${table.updated_at}, ${table.id}) >= (${bind.updatedAt}, ${bind.id})`;
    const organization = eq(table.organization_id, organizationOf(bind.tokenHash, scope));
    return sql`FROM ${table} WHERE ${and(organization, filter, position)}
      ORDER BY ${asc(table.updated_at)}, ${asc(table.id)}`;
  };
  const scanned = sql.raw(String(onlyBounds ? limits.scannedEntries : limits.scannedRecords));
  const inEntries = sql.join([...new Set(Object.values(bounds).map(({ column }) => column))], sql`, `);
  const named = sql.identifier(getTableName(table));
  /**
   * Checks bounds in the index entries. The unary plus makes SQLite sort the few rows found instead of walking the
   * index again.
   */
  const inBounds = (bind: Bound, bounded: (SQL | undefined)[]) => sql`SELECT * FROM ${table}
    WHERE ${eq(table.organization_id, organizationOf(bind.tokenHash, scope))} AND ${table.id} IN (
      SELECT id FROM (SELECT id, ${inEntries} ${inOrder(bind, undefined)} LIMIT ${scanned}) AS ${named}
      WHERE ${and(...bounded)} LIMIT ${bind.limit})
    ORDER BY +${table.updated_at}, +${table.id}`;
  const page = prepared((bind: Bound) => {
    const [first, ...others] = filtersOf(bind);
    const scan = onlyBounds
      ? inBounds(bind, others)
      : sql`SELECT * ${inOrder(bind, first)} LIMIT ${others.length > 0 ? scanned : bind.limit}`;
    // The rows come in the order of the inner statement.
    const among = new Subquery(scan, getTableColumns(table), getTableName(table));
    const found = build
      .select(selection)
      .from(among)
      .where(and(...others));
    return rows(selection, limited(found, bind.limit));
  });
  const end = prepared((bind: Bound) => {
    const [first] = filtersOf(bind);
    return row(place, sql`SELECT updated_at, id ${inOrder(bind, first)} LIMIT 1 OFFSET ${scanned}`);
  });
  return { page, end: given.length > (isFound ? 1 : 0) ? end : null } as Find;
}

/**
 * Pages through a table by last change. The statement for each set of filters is built on first use. An index finds the
 * rows for one filter, and up to `limits.scannedRecords` of those rows are checked against the others. If all filters
 * are bounds, up to `limits.scannedEntries` entries of the list's index are checked.
 */
export function pageQueries<S extends SelectedFields>(listed: PagesOf<S>) {
  const { selection, conditions, children } = listed;
  const small = Object.entries(children).map(([field, of]) => [field, smallOf(of).as(field)]);
  const ofMany = { ...listed, selection: { ...selection, ...Object.fromEntries(small) } };
  const built = new Map<string, Find>();
  return ({ filters = {}, ...values }: PageValues) => {
    const names = rarestFirst(Object.keys(filters).filter((name) => filters[name] !== undefined));
    const given = names.map((name): [string, string] => [name, filters[name] ?? ""]);
    const isOfMany = small.length > 0 && values.limit > pageOfAnyRecords + 1;
    // A condition has few possible values, so each value gets its own statement.
    const key = [isOfMany, ...given.map(([name, value]) => (conditions[name] ? `${name}=${value}` : name))];
    const find = built.get(key.join()) ?? pagesBy(isOfMany ? ofMany : listed, given);
    built.set(key.join(), find);
    const bound = { ...filters, ...values };
    return { page: find.page(bound), end: find.end?.(bound) ?? null };
  };
}
