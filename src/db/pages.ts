import { and, asc, eq, getTableColumns, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { SelectedFields, SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
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

/** What the values of a filter mean that is no column: `invoiced` -> `true` -> invoice_id IS NOT NULL. */
export type FilterConditions = Readonly<Record<string, Readonly<Record<string, SQL>>>>;

type Listed = SQLiteTable & Record<"organization_id" | "updated_at" | "id", SQLiteColumn>;

interface PagesOf<S extends SelectedFields> {
  table: Listed;
  selection: S;
  conditions: FilterConditions;
  /** Of the tokens that may read them. */
  scope: Scope;
}

/** Pages of a table by its rows' last change: one statement for each set of filters, built when it is first used. */
export function pageQueries<S extends SelectedFields>({ table, selection, conditions, scope }: PagesOf<S>) {
  type Find = (values: Omit<PageValues, "filters">) => Query<Record<string, unknown>[]>;
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  const built = new Map<string, Find>();

  const conditionOf = (name: string, value: string, bound: Placeholder): SQL | undefined => {
    const column = columns[name];
    return conditions[name]?.[value] ?? (column && eq(column, bound));
  };
  const make = (given: readonly [string, string][]): Find =>
    prepared((bind: Placeholders<Record<string, unknown> & PageValues>) => {
      // A row value, so that any page costs its own rows and no more.
      const position = sql`(${table.updated_at}, ${table.id}) >= (${bind.updatedAt}, ${bind.id})`;
      const filtered = given.map(([name, value]) => conditionOf(name, value, bind[name] as Placeholder));
      const where = and(
        eq(table.organization_id, organizationOf(bind.tokenHash, scope)),
        ...filtered,
        position,
      );
      const page = build.select(selection).from(table).where(where).$dynamic();
      return rows(selection, page.orderBy(asc(table.updated_at), asc(table.id)).limit(bind.limit));
    }) as Find;

  return ({ filters = {}, ...values }: PageValues): Query<Record<string, unknown>[]> => {
    const given = Object.entries(filters).filter(
      (filter): filter is [string, string] => filter[1] !== undefined,
    );
    // The values of a condition are few, and stand in the statement.
    const key = given
      .map(([name, value]) => (conditions[name] ? `${name}=${value}` : name))
      .sort()
      .join();
    const find = built.get(key) ?? make(given);
    built.set(key, find);
    return find({ ...filters, ...values });
  };
}
