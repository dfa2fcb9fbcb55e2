import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { getTableConfig, SQLiteSyncDialect, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { RefusalName } from "../contract/refusal.ts";
import { notImporting } from "./importing.ts";

/**
 * A trigger or view. Guards and events are triggers, so that they also apply to plain SQL. They are built from drizzle
 * templates over the schema's tables.
 */
export interface Statement {
  kind: "TRIGGER" | "VIEW";
  name: string;
  /** The statement on one line, as the database stores it. */
  text: string;
}

/** A table's columns under an alias. */
export type RowNamed<T extends SQLiteTable> = { readonly [K in keyof T["_"]["columns"]]: SQL };

const rowNamed = <T extends SQLiteTable>(name: string, table: T): RowNamed<T> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([key, column]) => [key, sql.raw(`${name}.${column.name}`)]),
  ) as RowNamed<T>;

/** Returns a table's columns by qualified name, for statements that read several tables. */
export const columnsOf = <T extends SQLiteTable>(table: T): RowNamed<T> =>
  rowNamed(getTableConfig(table).name, table);

/** What fires a trigger: any change of one kind, or an update to these columns. */
export type Change<T extends SQLiteTable> = "INSERT" | "UPDATE" | "DELETE" | readonly ColumnOf<T>[];
export type ColumnOf<T extends SQLiteTable> = keyof T["_"]["columns"] & string;

interface Body {
  when?: SQL | undefined;
  /** For an INSERT: whether imported rows fire it too. */
  firesInImport?: true;
  do: SQL | readonly SQL[];
}

/** The row before and after the change. */
export interface Rows<T extends SQLiteTable> {
  NEW: RowNamed<T>;
  OLD: RowNamed<T>;
}
export const newAndOld = <T extends SQLiteTable>(table: T): Rows<T> => ({
  NEW: rowNamed("NEW", table),
  OLD: rowNamed("OLD", table),
});

/**
 * Skips imported rows, and rows that a move copies again, because they were already checked and their events recorded.
 */
function yieldingToImport(
  table: SQLiteTable,
  change: Change<SQLiteTable>,
  when: SQL | undefined,
): SQL | undefined {
  const columns = getTableColumns(table);
  const isOrganization = getTableConfig(table).name === "organizations" && change !== "INSERT";
  if (!isOrganization && !("organization_id" in columns)) return when;
  const row = change === "DELETE" ? "OLD" : "NEW";
  const organization_id = sql.raw(`${row}.${isOrganization ? "id" : "organization_id"}`);
  const free = notImporting({ organization_id });
  return when ? sql`(${when}) AND ${free}` : free;
}

/** Builds a table's triggers. A trigger's name is the table's name plus a suffix. */
const span =
  (time: "BEFORE" | "AFTER") =>
  <T extends SQLiteTable>(
    table: T,
    change: Change<T>,
    suffix: string,
    write: (rows: Rows<T>) => Body,
  ): Statement => {
    const name = `${getTableConfig(table).name}_${suffix}`;
    const body = write(newAndOld(table));
    const fired = typeof change === "string" ? change : `UPDATE OF ${change.join(", ")}`;
    const when = body.firesInImport ? body.when : yieldingToImport(table, change, body.when);
    const condition = when && sql` WHEN ${when}`;
    const statements = [body.do].flat().map((statement) => sql`${statement};`);
    return {
      kind: "TRIGGER",
      name,
      text: plainText(
        sql`CREATE TRIGGER ${sql.raw(`${name} ${time} ${fired}`)} ON ${table}${condition}
          BEGIN ${sql.join(statements, sql` `)} END`,
      ),
    };
  };

export const before = span("BEFORE");
export const after = span("AFTER");

export const view = (name: string, select: SQL): Statement => ({
  kind: "VIEW",
  name,
  text: plainText(sql`CREATE VIEW ${sql.raw(name)} AS ${select}`),
});

/** Aborts the transaction with this refusal; with `rest` (`WHERE …`, `FROM … WHERE …`), only if it finds a row. */
export const raise = (name: RefusalName, rest?: SQL): SQL =>
  rest ? sql`SELECT RAISE(ABORT, ${name}) ${rest}` : sql`SELECT RAISE(ABORT, ${name})`;

/** Whether an update changes any of these columns. */
export const changes = <T extends SQLiteTable>(
  { NEW, OLD }: Rows<T>,
  ...columns: readonly ColumnOf<T>[]
): SQL =>
  sql.join(
    columns.map((column) => sql`${NEW[column]} IS NOT ${OLD[column]}`),
    sql` OR `,
  );

/** Writes unqualified names, and values as literals, because triggers can't have parameters. */
class Plain extends SQLiteSyncDialect {
  override escapeName(name: string): string {
    return name;
  }
}
const dialect = new Plain();

/** Renders a template on one line. With "indexes", columns have no table names. String literals stay unchanged. */
export const plainText = (template: SQL): string =>
  dialect
    .sqlToQuery(sql`${template}`.inlineParams(), "indexes")
    .sql.replace(/'(?:[^']|'')*'|\s+/g, (part) => (part.startsWith("'") ? part : " "))
    .trim();
