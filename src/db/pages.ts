import { and, asc, eq, getTableColumns, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { SelectedFields, SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { limits } from "../contract/limits.ts";
import type { Scope } from "../contract/scopes.ts";
import { build, type Placeholders, prepared, rows } from "./build.ts";
import { organizationOf } from "./organization.ts";
import type { Query } from "./query.ts";

/** Exact matches by the names of columns, or of `conditions`. */
type Filters = Readonly<Record<string, string | undefined>>;

/** Where a page of the token's organization starts in (updated_at, id), and what it is filtered by. */
export interface PageValues {
  tokenHash: string;
  updatedAt: string;
  id: string;
  limit: number;
  filters?: Filters;
}

/** Conditions by the value of a filter that is no column: `invoiced` -> `true` -> invoice_id IS NOT NULL. */
export type FilterConditions = Readonly<Record<string, Readonly<Record<string, SQL>>>>;

type Listed = SQLiteTable & Record<"organization_id" | "updated_at" | "id", SQLiteColumn>;

/** The records of a page; `cut`: the position of the record before which the page was cut, null if it was not cut. */
export interface FoundPage<T> {
  records: T[];
  cut: { updated_at: string; id: string } | null;
}

/** JSON of a record's own records. */
export interface Children {
  aggregate: SQL;
  from: SQL;
}

/** Joined with an empty text, because a JSON function around it would take it for JSON and not for a text. */
export const allOf = ({ aggregate, from }: Children): SQL<string> =>
  sql`((SELECT ${aggregate} FROM ${from}) || '')`;

/**
 * NULL if the children are too large for a page of many records, because D1 hands over no more than an isolate can
 * hold.
 */
const smallOf = ({ aggregate, from }: Children): SQL => {
  const maxBytes = sql.raw(String(limits.pageChildrenBytes));
  return sql`(SELECT ${aggregate} FROM ${from} HAVING octet_length(${aggregate}) <= ${maxBytes})`;
};

/** A page of so many records can hold their children, however large these are. */
export const pageOfAnyRecords = limits.pageSizeRecords.default;

interface PagesOf<S extends SelectedFields> {
  table: Listed;
  selection: S;
  conditions: FilterConditions;
  /** Of the tokens that may read them. */
  scope: Scope;
  /** By the names of their fields in the selection. */
  children: Readonly<Record<string, Children>>;
}

/** Pages of a table by its rows' last change: one statement for each set of filters, built when it is first used. */
export function pageQueries<S extends SelectedFields>(listed: PagesOf<S>) {
  const { table, selection, conditions, scope, children } = listed;
  const small = Object.entries(children).map(([field, of]) => [field, smallOf(of).as(field)]);
  const selectionOfMany = { ...selection, ...Object.fromEntries(small) };
  type Find = (values: Omit<PageValues, "filters">) => Query<Record<string, unknown>[]>;
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  const built = new Map<string, Find>();

  const conditionOf = (name: string, value: string, bound: Placeholder): SQL | undefined => {
    const column = columns[name];
    return conditions[name]?.[value] ?? (column && eq(column, bound));
  };
  const make = (given: readonly [string, string][], selected: S): Find =>
    prepared((bind: Placeholders<Record<string, unknown> & PageValues>) => {
      // A row value, so that any page costs its own rows and no more.
      const position = sql`(${table.updated_at}, ${table.id}) >= (${bind.updatedAt}, ${bind.id})`;
      const filtered = given.map(([name, value]) => conditionOf(name, value, bind[name] as Placeholder));
      const where = and(
        eq(table.organization_id, organizationOf(bind.tokenHash, scope)),
        ...filtered,
        position,
      );
      const page = build.select(selected).from(table).where(where).$dynamic();
      return rows(selected, page.orderBy(asc(table.updated_at), asc(table.id)).limit(bind.limit));
    }) as Find;

  return ({ filters = {}, ...values }: PageValues): Query<Record<string, unknown>[]> => {
    const given = Object.entries(filters).filter(
      (filter): filter is [string, string] => filter[1] !== undefined,
    );
    const isOfMany = small.length > 0 && values.limit > pageOfAnyRecords + 1;
    // The values of a condition are few, and stand in the statement.
    const names = given.map(([name, value]) => (conditions[name] ? `${name}=${value}` : name));
    const key = [isOfMany, ...names.sort()].join();
    const find = built.get(key) ?? make(given, isOfMany ? selectionOfMany : selection);
    built.set(key, find);
    return find({ ...filters, ...values });
  };
}
