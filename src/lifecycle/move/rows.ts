import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { rows } from "../../db/build.ts";
import type { Query } from "../../db/query.ts";
import { identityOfCopied } from "../../db/table-rules.ts";
import { type CopiedRow, copiedColumns, ownTable } from "../complete-copy.ts";
import { type OwnRows, ownTables } from "../rows-of-organization.ts";

/** Finds a moving workspace's rows by keys that are the same in both cells. */

export const sqlList = (parts: readonly unknown[]): SQL =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  );

export const identityOf = ({ table }: OwnRows): SQLiteColumn[] => {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  return identityOfCopied(table).map((name) => columns[name] as SQLiteColumn);
};

export const identityIn = (own: OwnRows, row: CopiedRow): unknown[] =>
  identityOf(own).map(({ name }) => row[name]);

/** `(identity) IN (keys)`. */
export function isOneOf(own: OwnRows, keys: readonly (readonly unknown[])[]): SQL {
  const identity = identityOf(own);
  const values = identity.map((_, index) => sql`value ->> ${sql.raw(`'$[${index}]'`)}`);
  return sql`(${sqlList(identity)}) IN (SELECT ${sqlList(values)} FROM json_each(${JSON.stringify(keys)}))`;
}

/**
 * Reads an organization's rows with these keys, up to the key `until` in copy order. The unary plus makes SQLite look
 * up rows by these keys and not by the organization.
 */
export function rowsAt(
  own: OwnRows,
  organizationId: string,
  keys: readonly (readonly unknown[])[],
  until?: readonly unknown[],
): Query<CopiedRow[]> {
  const { from, organization, key } = own;
  const isCopied = until ? sql`AND (${sqlList(key)}) <= (${sqlList(until)})` : sql``;
  return rows(
    {},
    sql`SELECT ${sqlList(copiedColumns(own))} FROM ${from}
      WHERE ${isOneOf(own, keys)} AND +${organization} = ${organizationId} ${isCopied} ORDER BY ${sqlList(key)}`,
  );
}

/** Whether a copy that has reached `table` has all, some or none of another table's rows. */
export function copiedPart(name: string, table: string | null): "all" | "some" | "none" {
  const [at, here] = [ownTables.findIndex(isCalled(name)), table === null ? Infinity : indexOfTable(table)];
  return at < here ? "all" : at === here ? "some" : "none";
}

const isCalled = (name: string) => (own: OwnRows) => own === ownTable(name);
const indexOfTable = (name: string) => ownTables.findIndex(isCalled(name));

/** Finds a table by name. Both cells have it, because they have the same migrations. */
export function tableByName(name: string): OwnRows {
  const own = ownTable(name);
  if (!own) throw new Error(`no table ${name} belongs to workspaces`);
  return own;
}
