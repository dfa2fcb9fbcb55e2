import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type * as z from "zod";
import { type Refusal, refuse } from "../contract/refusal.ts";
import { answerOf, type ExtraColumns } from "./answer.ts";
import { build, changesRow, row, rows } from "./build.ts";
import { isIn } from "./is-in.ts";
import { batch, mapped, run } from "./query.ts";

export type OwnedTable = SQLiteTable & Record<"id" | "organization_id" | "created_at", SQLiteColumn>;

/** Matches the row with this id in the organization. */
export const owned = (table: OwnedTable, organizationId: string, id: string): SQL | undefined =>
  and(eq(table.id, id), eq(table.organization_id, organizationId));

/**
 * Matches rows by many ids. The plus prevents SQLite from reading all rows of the organization through an index, which
 * it would prefer because it assumes that the list is longer.
 */
export const ownedAmong = (
  table: SQLiteTable & Record<"id" | "organization_id", SQLiteColumn>,
  organizationId: string,
  ids: readonly string[],
): SQL | undefined => and(sql`+${table.organization_id} = ${organizationId}`, isIn(table.id, ids));

interface Newest {
  where?: SQL | undefined;
  limit?: number;
  /** The id of the last record on the previous page. */
  cursor?: string | undefined;
}

/** Queries for the records that admins see, with the fields of `schema`. */
export function records<T extends OwnedTable, Shape extends z.ZodRawShape, M extends ExtraColumns>(
  table: T,
  schema: z.ZodObject<Shape>,
  more: M,
) {
  const { selection, read } = answerOf(table, schema, more);
  const select = (where: SQL | undefined) => build.select(selection).from(table).where(where).$dynamic();
  const newest = (organizationId: string, { where, limit, cursor }: Newest = {}) => {
    const last = sql`(SELECT created_at, rowid FROM ${table} WHERE ${owned(table, organizationId, cursor ?? "")})`;
    const after = cursor === undefined ? undefined : sql`(${table.created_at}, ${table}.rowid) < ${last}`;
    const own = select(and(eq(table.organization_id, organizationId), where, after));
    const ordered = own.orderBy(desc(table.created_at), sql`rowid DESC`).limit(limit ?? -1);
    return mapped(rows(selection, ordered), (found) => found.map(read));
  };
  return {
    /** One record; null if the organization has none with this id. */
    find: (organizationId: string, id: string) =>
      mapped(row(selection, select(owned(table, organizationId, id))), (found) => found && read(found)),
    /** An organization's records, newest first. Records created at the same time are in insertion order. */
    newest,
    /** The page after the record with the id `cursor`. `kind` is the record's name in the error. */
    async page(
      db: D1Database,
      organizationId: string,
      { kind, ...page }: Newest & { kind: string },
    ): Promise<ReturnType<typeof read>[] | Refusal> {
      const { cursor } = page;
      if (cursor === undefined) return run(db, newest(organizationId, page));
      const isThere = changesRow(
        build
          .select({ id: table.id })
          .from(table)
          .where(owned(table, organizationId, cursor)),
      );
      const [found, isKnown] = await batch(db, [newest(organizationId, page), isThere]);
      return isKnown ? found : refuse("cursor_unknown", { kind });
    },
  };
}
