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

/** Exact matches, by the names of columns or of `conditions`. */
type Filters = Readonly<Record<string, string | undefined>>;

/** A page of the token's organization: where it starts in (updated_at, id), and its filters. */
export interface PageValues {
  tokenHash: string;
  updatedAt: string;
  id: string;
  limit: number;
  filters?: Filters;
}

/** Conditions by the value of a filter that is not a column: `invoiced` -> `true` -> invoice_id IS NOT NULL. */
export type FilterConditions = Readonly<Record<string, Readonly<Record<string, SQL>>>>;

/** The conditions of a flag; written `flag = 1`, as in the partial indexes. */
export const ofFlag = (flag: SQLWrapper) => ({ true: sql`${flag} = 1`, false: sql`${flag} = 0` });

/** Filters that bound a column: `from` -> spent_date >= its value. */
export type FilterBounds = Readonly<Record<string, { column: SQLiteColumn; by: typeof gte }>>;

/** Filters without an index, as `name=value`; the list is scanned for them. */
export type WithoutIndex = readonly string[];

type Listed = SQLiteTable & Record<"organization_id" | "updated_at" | "id", SQLiteColumn>;

interface Place {
  updated_at: string;
  id: string;
}

/** The records of a page; `cut`: the position of the record before which the page was cut, or null. */
export interface FoundPage<T> {
  records: T[];
  cut: Place | null;
  /** The position at which the search for a page ended early; null if it scanned all records. */
  end: Query<Place | null> | null;
}

/** A record's children as JSON. */
export interface Children {
  aggregate: SQL;
  from: SQL;
}

/** Concatenated with an empty text, because an enclosing JSON function would otherwise parse it as JSON. */
export const allOf = ({ aggregate, from }: Children): SQL<string> =>
  sql`((SELECT ${aggregate} FROM ${from}) || '')`;

/**
 * NULL if the children are too large for a page of many records, because D1 returns no more than an isolate can
 * hold.
 */
const smallOf = ({ aggregate, from }: Children): SQL => {
  const maxBytes = sql.raw(String(limits.pageChildrenBytes));
  return sql`(SELECT ${aggregate} FROM ${from} HAVING octet_length(${aggregate}) <= ${maxBytes})`;
};

/** A page with so few records can hold all their children, however large. */
export const pageOfAnyRecords = limits.pageSizeRecords.default;

interface PagesOf<S extends SelectedFields> {
  table: Listed;
  selection: S;
  conditions: FilterConditions;
  /** Columns of the list's index, for searches that scan many records and return few. */
  bounds: FilterBounds;
  withoutIndex: WithoutIndex;
  /** The scope of the tokens that may read them. */
  scope: Scope;
  /** By field name in the selection. */
  children: Readonly<Record<string, Children>>;
}

/**
 * With several filters, the index of the filter that is likely to match the fewest records is used, and the
 * others are checked.
 */
const byRarity = ["number", "external_id", "email", "project_id", "client_id", "user_id"];

const rankOf = (name: string): number => (byRarity.includes(name) ? byRarity.indexOf(name) : byRarity.length);

const rarestFirst = (names: readonly string[]): string[] =>
  names.toSorted((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));

type Values = Omit<PageValues, "filters">;
type Bound = Placeholders<Record<string, unknown> & PageValues>;

interface Find {
  page(values: Values): Query<Record<string, unknown>[]>;
  /** Where the search of a page ends; null if one index finds all its rows. */
  end: ((values: Values) => Query<Place | null>) | null;
}

const place = { updated_at: sql<string>`updated_at`.as("updated_at"), id: sql<string>`id`.as("id") };

/** The cast: for a generic selection, drizzle's types do not show that the statement can be limited. */
const limited = (found: object, limit: Placeholder): SQLWrapper =>
  (found as { limit(limit: Placeholder): SQLWrapper }).limit(limit);

/** The statements for each set of filters, the most selective filter first. */
function pagesBy<S extends SelectedFields>(
  { table, selection, conditions, bounds, withoutIndex, scope }: PagesOf<S>,
  given: readonly [string, string][],
): Find {
  const [rarest] = given;
  const isFound = rarest && !(rarest[0] in bounds) && !withoutIndex.includes(rarest.join("="));
  const boundsAlone = given.length > 0 && given.every(([name]) => name in bounds);
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  /** What an index finds, and what is searched within that. */
  const filtersOf = (bind: Bound): (SQL | undefined)[] => [
    ...(isFound ? [] : [undefined]),
    ...given.map(([name, value]) => {
      const { column, by } = bounds[name] ?? { column: columns[name], by: eq };
      return conditions[name]?.[value] ?? (column && by(column, bind[name]));
    }),
  ];
  /** A row value, so that a page reads only its own rows. */
  const inOrder = (bind: Bound, filter: SQL | undefined) => {
    const position = sql`(${table.updated_at}, ${table.id}) >= (${bind.updatedAt}, ${bind.id})`;
    const organization = eq(table.organization_id, organizationOf(bind.tokenHash, scope));
    return sql`FROM ${table} WHERE ${and(organization, filter, position)}
      ORDER BY ${asc(table.updated_at)}, ${asc(table.id)}`;
  };
  const lookedAt = sql.raw(String(boundsAlone ? limits.lookedAtEntries : limits.lookedAtRecords));
  const inEntries = sql.join([...new Set(Object.values(bounds).map(({ column }) => column))], sql`, `);
  const named = sql.identifier(getTableName(table));
  /**
   * Bounds are checked in the index entries; the plus makes SQLite sort the few rows found instead of walking
   * the index again.
   */
  const inBounds = (bind: Bound, bounded: (SQL | undefined)[]) => sql`SELECT * FROM ${table}
    WHERE ${eq(table.organization_id, organizationOf(bind.tokenHash, scope))} AND ${table.id} IN (
      SELECT id FROM (SELECT id, ${inEntries} ${inOrder(bind, undefined)} LIMIT ${lookedAt}) AS ${named}
      WHERE ${and(...bounded)} LIMIT ${bind.limit})
    ORDER BY +${table.updated_at}, +${table.id}`;
  const page = prepared((bind: Bound) => {
    const [first, ...others] = filtersOf(bind);
    const looked = boundsAlone
      ? inBounds(bind, others)
      : sql`SELECT * ${inOrder(bind, first)} LIMIT ${others.length > 0 ? lookedAt : bind.limit}`;
    // The rows come in the order of the inner statement.
    const among = new Subquery(looked, getTableColumns(table), getTableName(table));
    const found = build
      .select(selection)
      .from(among)
      .where(and(...others));
    return rows(selection, limited(found, bind.limit));
  });
  const end = prepared((bind: Bound) => {
    const [first] = filtersOf(bind);
    return row(place, sql`SELECT updated_at, id ${inOrder(bind, first)} LIMIT 1 OFFSET ${lookedAt}`);
  });
  return { page, end: given.length > (isFound ? 1 : 0) ? end : null } as Find;
}

/**
 * Pages of a table by last change: one statement for each set of filters, built on first use. An index finds
 * the rows of one filter. With several filters, `limits.lookedAtRecords` of those rows are searched for the
 * others; with bounds only, `limits.lookedAtEntries` of the list's own index.
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
    // A condition has few values, so each is part of its statement.
    const key = [isOfMany, ...given.map(([name, value]) => (conditions[name] ? `${name}=${value}` : name))];
    const find = built.get(key.join()) ?? pagesBy(isOfMany ? ofMany : listed, given);
    built.set(key.join(), find);
    const bound = { ...filters, ...values };
    return { page: find.page(bound), end: find.end?.(bound) ?? null };
  };
}
