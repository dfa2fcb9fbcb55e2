import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { SelectedFields, SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { build, prepared, type RowOf, row, rows } from "./build.ts";
import { organizationOf } from "./organization.ts";
import { mapped, type Query } from "./query.ts";

/** A record that an earlier request made, with that request's fingerprint. */
export interface Existing {
  fingerprint: string | null;
  answer: object;
}

/** A table whose records belong to organizations, are listed by their last change and made by requests. */
type ResourceTable = SQLiteTable &
  Record<"organization_id" | "updated_at" | "id" | "request_fingerprint", SQLiteColumn>;

/** A page of the token's organization from a position in (updated_at, id) on. */
export type PageValues = { tokenHash: string; updatedAt: string; id: string; limit: number };

/** The four reads of a resource; each is one statement, built once. */
export interface Resource<T> {
  page(values: PageValues): Query<T[]>;
  /** One record of the token's organization. */
  find(values: { tokenHash: string; id: string }): Query<T | null>;
  /** One record of an organization: after a write, or for an admin. */
  read(organizationId: string, id: string): Query<T | null>;
  /** What an earlier attempt of a request made: the record under its id, or under the key that the resource keeps. */
  existing(organizationId: string, idOrKey: string): Query<Existing | null>;
}

/**
 * Builds the reads of a resource out of the columns that its answer is made of. `keyColumn`: where the row keeps its
 * Idempotency-Key, if it does.
 */
export function resource<S extends SelectedFields, T extends object>(
  table: ResourceTable,
  selection: S,
  toAnswer: (row: RowOf<S>) => T,
  keyColumn: SQLiteColumn = table.id,
): Resource<T> {
  const select = (where: SQL | undefined) => build.select(selection).from(table).where(where).$dynamic();
  const one = (where: SQL | undefined) =>
    mapped(row(selection, select(where)), (found) => (found === null ? null : toAnswer(found)));
  const ofToken = eq(table.organization_id, organizationOf(sql.placeholder("tokenHash")));
  const ofOrganization = eq(table.organization_id, sql.placeholder("organizationId"));

  // A row value, so that any page costs its own rows and no more.
  const from = sql`(${table.updated_at}, ${table.id}) >= (${sql.placeholder("updatedAt")}, ${sql.placeholder("id")})`;
  const page = prepared<PageValues, T[]>(() => {
    const built = select(and(ofToken, from))
      .orderBy(asc(table.updated_at), asc(table.id))
      .limit(sql.placeholder("limit"));
    return mapped(rows(selection, built), (found) => found.map(toAnswer));
  });
  const find = prepared<{ tokenHash: string; id: string }, T | null>(() =>
    one(and(eq(table.id, sql.placeholder("id")), ofToken)),
  );
  const read = prepared<{ organizationId: string; id: string }, T | null>(() =>
    one(and(eq(table.id, sql.placeholder("id")), ofOrganization)),
  );
  const existing = prepared<{ organizationId: string; idOrKey: string }, Existing | null>(() => {
    const fingerprint = sql<string | null>`${table.request_fingerprint}`.as("fingerprint");
    const found = { ...selection, fingerprint };
    const where = and(eq(keyColumn, sql.placeholder("idOrKey")), ofOrganization);
    const built = build.select(found).from(table).where(where);
    return mapped(
      row(found, built),
      (made) => made && { fingerprint: made.fingerprint, answer: toAnswer(made) },
    );
  });
  return {
    page,
    find,
    read: (organizationId, id) => read({ organizationId, id }),
    existing: (organizationId, idOrKey) => existing({ organizationId, idOrKey }),
  };
}
