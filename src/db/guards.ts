import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { RefusalName } from "../contract/refusal.ts";
import { now } from "./columns.ts";
import { after, before, type ColumnOf, changes, type RowNamed, raise, type Statement } from "./trigger.ts";

/** Guards that several tables share. */

/** Rejects every status change except for `moves`, which are written like `draft sent`. */
export const statusMoves = (
  table: SQLiteTable & { status: SQLiteColumn },
  moves: readonly string[],
  name: RefusalName,
): Statement =>
  before(table, ["status"], "status", () => ({
    when: sql`NEW.status <> OLD.status AND OLD.status || ' ' || NEW.status NOT IN ${moves}`,
    do: raise(name),
  }));

/** Freezes these columns once the condition holds. */
export const frozen = <T extends SQLiteTable>(
  table: T,
  columns: readonly ColumnOf<T>[],
  since: (old: RowNamed<T>) => SQL,
  name: RefusalName,
): Statement =>
  before(table, columns, "frozen", (rows) => ({
    when: sql`${since(rows.OLD)} AND (${changes(rows, ...columns)})`,
    do: raise(name),
  }));

/**
 * A change to a child updates its parent's updated_at, unless both were written together and have the same created_at.
 */
export function stampParent<T extends SQLiteTable>(
  child: T,
  parent: SQLiteTable,
  key: ColumnOf<T>,
  names: { parent: string; shown: readonly ColumnOf<T>[] },
): Statement[] {
  const stamp = (...rows: readonly RowNamed<T>[]) =>
    sql`UPDATE ${parent} SET updated_at = ${now} WHERE id IN ${rows.map((row) => row[key])} AND updated_at < ${now}`;
  return [
    after(child, "INSERT", `added_to_${names.parent}`, ({ NEW }) => ({
      do: sql`${stamp(NEW)} AND created_at <> NEW.created_at`,
    })),
    after(child, names.shown, `changed_in_${names.parent}`, ({ NEW, OLD }) => ({ do: stamp(OLD, NEW) })),
    after(child, "DELETE", `removed_from_${names.parent}`, ({ OLD }) => ({ do: stamp(OLD) })),
  ];
}
