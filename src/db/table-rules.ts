import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { now } from "./columns.ts";
import { notErasing } from "./erasing.ts";
import { isFenced } from "./fencing.ts";
import { moveChanges, moves } from "./moving.ts";
import type { TableRules } from "./rules.ts";
import { after, before, type RowNamed, raise, type Statement } from "./trigger.ts";

/** Builds the triggers that enforce a table's declared rules. `organizations` has the counters. */
export const bookkeeping = (rules: TableRules, organizations: SQLiteTable): Statement[] => [
  ...stamped(rules),
  ...counted(rules, organizations),
  ...writtenOnce(rules),
  ...kept(rules),
];

function stamped({ table, stamped }: TableRules): Statement[] {
  if (!stamped) return [];
  const { of, when } = stamped === true ? {} : stamped;
  return [
    after(table, of ?? "UPDATE", "stamp", (rows) => ({
      when: sql`${rows.NEW.updated_at} <= ${rows.OLD.updated_at} AND ${rows.NEW.updated_at} < ${now}${
        when ? sql` AND ${when(rows)}` : undefined
      }`,
      do: sql`UPDATE ${table} SET updated_at = max(${rows.OLD.updated_at}, ${now}) WHERE ${isRow(table, rows.NEW)}`,
    })),
  ];
}

/** Matches a row by the primary key. */
function isRow(table: SQLiteTable, row: RowNamed<SQLiteTable>): SQL {
  const { columns, primaryKeys } = getTableConfig(table);
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  return sql.join(
    key.map((column) => sql`${column} = ${row[column.name]}`),
    sql` AND `,
  );
}

function counted({ table, counted }: TableRules, organizations: SQLiteTable): Statement[] {
  if (!counted) return [];
  const move = (sign: "+" | "-", row: RowNamed<SQLiteTable>) => {
    const set = Object.entries(counted.by).map(
      ([counter, by]) =>
        sql`${sql.raw(`${counter} = ${counter} ${sign}`)} ${typeof by === "number" ? by : sql`(${by(row)})`}`,
    );
    return sql`UPDATE ${organizations} SET ${sql.join(set, sql`, `)} WHERE id = ${row.organization_id}`;
  };
  return [
    after(table, "INSERT", "counted", ({ NEW }) => ({ when: counted.when?.(NEW), do: move("+", NEW) })),
    after(table, "DELETE", "uncounted", ({ OLD }) => ({ when: counted.when?.(OLD), do: move("-", OLD) })),
  ];
}

function writtenOnce({ table, writtenOnce }: TableRules): Statement[] {
  if (!writtenOnce) return [];
  const from = writtenOnce === true ? undefined : writtenOnce.from;
  return [
    before(table, "UPDATE", "immutable", ({ OLD }) => ({
      when: from ? sql`${from(OLD)} AND ${notErasing(OLD)}` : notErasing(OLD),
      do: raise("immutable"),
    })),
  ];
}

/**
 * Builds the triggers that keep rows. INSERT OR REPLACE and UPDATE OR REPLACE delete rows without firing a delete
 * trigger, so each has its own trigger.
 */
function kept(rules: TableRules): Statement[] {
  const { table, kept, notReplaced, writtenOnce } = rules;
  const notDeleted =
    kept && before(table, "DELETE", "kept", ({ OLD }) => ({ when: notErasing(OLD), do: raise("immutable") }));
  const inPlace = (kept || notReplaced) && notReplacedByInsert(rules);
  const keyKept = (kept || notReplaced) && writtenOnce !== true && notReplacedByUpdate(rules);
  return [notDeleted, inPlace, keyKept].filter((statement) => typeof statement === "object");
}

function notReplacedByInsert({ table, unique = [] }: TableRules): Statement {
  const keys = [...identityOf(table), ...unique];
  return before(table, "INSERT", "not_replaced", () => ({
    when: or(keys.map((key) => isTaken(table, key))),
    do: raise("row_exists"),
  }));
}

function notReplacedByUpdate({ table, unique = [] }: TableRules): Statement {
  return before(table, "UPDATE", "key_kept", () => {
    const isMoved = or(identityOf(table).map((key) => isChanged(key)));
    const isMet = unique.map((key) => sql`${isChanged(key)} AND ${isTaken(table, key)}`);
    const exists = isMet.length > 0 ? [raise("row_exists", sql`WHERE ${or(isMet)}`)] : [];
    return { do: [raise("key_kept", sql`WHERE ${isMoved}`), ...exists] };
  });
}

const or = (conditions: readonly SQL[]): SQL => sql.join([...conditions], sql` OR `);

const isChanged = (key: string): SQL => sql.raw(`NEW.${key} IS NOT OLD.${key}`);

/** Whether another row has this key. In a BEFORE INSERT trigger, NEW.rowid is -1 if no rowid was given. */
const isTaken = (table: SQLiteTable, key: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${table} WHERE ${sql.raw(`${key} = NEW.${key}`)})`;

/** Returns the primary key and the rowid, which may be the same. OR REPLACE can match a row by either. */
function identityOf(table: SQLiteTable): string[] {
  const primary = getTableConfig(table).columns.filter((column) => column.primary);
  const isRowid = primary.some((column) => column.getSQLType() === "integer");
  return [...primary.map(({ name }) => name), ...(isRowid ? [] : ["rowid"])];
}

/**
 * Prevents moving a row to another organization. Composite keys ensure that the rows it refers to are in the same one.
 */
export const organizationKept = (table: SQLiteTable): Statement[] =>
  "organization_id" in getTableColumns(table)
    ? [
        before(table, ["organization_id"], "organization_kept", ({ NEW, OLD }) => ({
          when: sql`${NEW.organization_id} <> ${OLD.organization_id}`,
          do: raise("organization_kept"),
        })),
      ]
    : [];

/**
 * Prevents changes in a fenced workspace. An INSERT aborts the transaction. An UPDATE or DELETE skips the row, so that
 * a statement over all workspaces still changes the other rows. Erasures are allowed.
 */
export function fenced(table: SQLiteTable, organizations: SQLiteTable): Statement[] {
  const key = table === organizations ? "id" : "organization_id";
  if (!(key in getTableColumns(table))) return [];
  const isClosed = (row: RowNamed<SQLiteTable>) => {
    const organization_id = row[key] as SQL;
    return sql`${isFenced(organization_id)} AND ${notErasing({ organization_id })}`;
  };
  const skip = ({ OLD }: { OLD: RowNamed<SQLiteTable> }) => ({
    when: isClosed(OLD),
    do: sql`SELECT RAISE(IGNORE)`,
    firesInImport: true as const,
  });
  const refuse = raise("organization_is_moving");
  // A payment event does not belong to a workspace until its invoice is known.
  const joins = before(table, "UPDATE", "fenced_join", ({ NEW }) => ({
    when: sql`${sql.raw(`OLD.${key}`)} IS NULL AND ${isClosed(NEW)}`,
    do: refuse,
    firesInImport: true,
  }));
  return [
    ...(getTableColumns(table)[key]?.notNull === false && key !== "id" ? [joins] : []),
    before(table, "INSERT", "fenced", ({ NEW }) => ({
      when: isClosed(NEW),
      do: refuse,
      firesInImport: true,
    })),
    before(table, "UPDATE", "fenced_update", skip),
    before(table, "DELETE", "fenced_delete", skip),
  ];
}

/** Records every change to a workspace's rows while they are being copied to another cell (contract Z10). */
export function noted(table: SQLiteTable, organizations: SQLiteTable): Statement[] {
  const organization = table === organizations ? "id" : "organization_id";
  if (!(organization in getTableColumns(table))) return [];
  const note = (row: RowNamed<SQLiteTable>, gone: 0 | 1) => {
    const id = row[organization] as SQL;
    const key = sql.join(
      identityOfCopied(table).map((column) => row[column] as SQL),
      sql`, `,
    );
    return {
      when: sql`EXISTS (SELECT 1 FROM ${moves} WHERE id = ${id} AND notes)`,
      do: sql`INSERT INTO ${moveChanges} (move, name, key, gone)
        VALUES (${id}, ${getTableConfig(table).name}, json_array(${key}), ${sql.raw(String(gone))})
        ON CONFLICT (move, name, key) DO UPDATE SET gone = excluded.gone, changes = changes + 1`,
    };
  };
  const updated = after(table, "UPDATE", "noted_update", ({ NEW }) => note(NEW, 0));
  if (table === organizations) return [updated];
  return [
    updated,
    after(table, "INSERT", "noted", ({ NEW }) => note(NEW, 0)),
    after(table, "DELETE", "noted_delete", ({ OLD }) => note(OLD, 1)),
  ];
}

/** Columns that each database numbers itself. Copied rows get new numbers, so they are matched by other columns. */
export const numbered: Readonly<Record<string, { number: string; identity: readonly string[] }>> = {
  events: { number: "sequence", identity: ["id"] },
  audit_log: { number: "sequence", identity: ["organization_id", "created_at", "id"] },
};

/** Returns the columns that identify a row in every database. */
export function identityOfCopied(table: SQLiteTable): readonly string[] {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  return numbered[name]?.identity ?? key.map((column) => column.name);
}

/**
 * Rejects values outside a column's closed set. Unlike a CHECK constraint, the set can grow without recreating the
 * table.
 */
export function closedSets(table: SQLiteTable, sets = setsOf(table)): Statement[] {
  const columns = Object.keys(sets);
  const guard = (NEW: RowNamed<SQLiteTable>) => ({
    when: sql.join(
      Object.entries(sets).map(([column, values]) => sql`${NEW[column]} NOT IN ${values}`),
      sql` OR `,
    ),
    do: raise("value_not_in_set"),
  });
  if (columns.length === 0) return [];
  return [
    before(table, "INSERT", "closed_sets", ({ NEW }) => guard(NEW)),
    before(table, columns, "closed_sets_move", ({ NEW }) => guard(NEW)),
  ];
}

/** Returns the closed sets declared by a table's columns. */
export const setsOf = (table: SQLiteTable): Record<string, readonly string[]> =>
  Object.fromEntries(
    getTableConfig(table).columns.flatMap(({ name, enumValues, generated }) =>
      enumValues?.length && !generated ? [[name, enumValues]] : [],
    ),
  );
