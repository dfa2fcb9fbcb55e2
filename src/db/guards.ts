import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { RefusalName } from "../contract/refusal.ts";
import { before, type ColumnOf, changes, type RowNamed, raise, type Statement } from "./trigger.ts";

/** Guards that several records have. */

/** Refuses every change of a status but these, each written as `draft sent`. */
export const statusMoves = (
  table: SQLiteTable & { status: SQLiteColumn },
  moves: readonly string[],
  name: RefusalName,
): Statement =>
  before(table, ["status"], "status", () => ({
    when: sql`NEW.status <> OLD.status AND OLD.status || ' ' || NEW.status NOT IN ${moves}`,
    do: raise(name),
  }));

/** Refuses changes of these columns once a row is so far. */
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
