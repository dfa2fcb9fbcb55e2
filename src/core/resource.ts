import { and, eq, type InferInsertModel, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type * as z from "zod";
import type { Scope } from "../contract/scopes.ts";
import { type Answer, answerOf, type ExtraColumns } from "../db/answer.ts";
import { asJson, build, inserting, type Placeholders, prepared, type RowOf, row } from "../db/build.ts";
import { mapped, type Query, required } from "../db/query.ts";
import { organizationOf } from "../workspace/tokens/organization-of.ts";
import { recorder } from "./ledger/ledger.ts";
import {
  type Children,
  type FilterBounds,
  type FilterConditions,
  type FoundPage,
  type PageValues,
  pageQueries,
  type WithoutIndex,
} from "./pages.ts";

/** A table whose records belong to organizations and are listed by last change. */
type ResourceTable = SQLiteTable & Record<"organization_id" | "updated_at" | "id", SQLiteColumn>;

interface Options<T extends ResourceTable, Shape extends z.ZodRawShape, M extends ExtraColumns> {
  /** The scope that a token needs to read the records. */
  scope: Scope;
  /** Fields that are not columns of the table. */
  more: M;
  /** The fields that contain a record's children, by name. */
  children?: Readonly<Record<string, Children>>;
  complete(row: Answer<T, Shape> & RowOf<M>): z.output<z.ZodObject<Shape>>;
  /** Filters that are not columns. */
  conditions?: FilterConditions;
  bounds?: FilterBounds;
  withoutIndex?: WithoutIndex;
}

/**
 * Builds a resource's queries, each as a single statement, once. Responses are derived from the table and the
 * documented schema (db/answer.ts).
 */
export function resource<T extends ResourceTable, Shape extends z.ZodRawShape, M extends ExtraColumns>(
  table: T,
  schema: z.ZodObject<Shape>,
  options: Options<T, Shape, M>,
) {
  const { scope, more, complete, children = {}, conditions = {}, bounds = {}, withoutIndex = [] } = options;
  const { selection, read: readAnswer } = answerOf(table, schema, more);
  const toAnswer = (found: Record<string, unknown>) => complete(readAnswer(found));
  const select = (where: SQL | undefined) => build.select(selection).from(table).where(where).$dynamic();
  const one = (where: SQL | undefined) =>
    mapped(row(selection, select(where)), (found) => (found === null ? null : toAnswer(found)));
  const ofToken = (tokenHash: Placeholder) => eq(table.organization_id, organizationOf(tokenHash, scope));

  const findPage = pageQueries({ table, selection, conditions, bounds, withoutIndex, scope, children });
  /** Cuts a page off before the first record with children that were too large to read. */
  const toPage = (found: Record<string, unknown>[]): Omit<FoundPage<ReturnType<typeof toAnswer>>, "end"> => {
    const end = found.findIndex((record) => Object.keys(children).some((field) => record[field] === null));
    const [whole, cut] = end < 0 ? [found, undefined] : [found.slice(0, end), found[end]];
    const place = cut && { updated_at: String(cut.updated_at), id: String(cut.id) };
    return { records: whole.map(toAnswer), cut: place ?? null };
  };
  const find = prepared((bind: Placeholders<{ tokenHash: string; id: string }>) =>
    one(and(eq(table.id, bind.id), ofToken(bind.tokenHash))),
  );
  const read = prepared((bind: Placeholders<{ organizationId: string; id: string }>) =>
    one(and(eq(table.id, bind.id), eq(table.organization_id, bind.organizationId))),
  );
  const { json, read: fromJson } = asJson(selection);
  const fromText = (text: string) => toAnswer(fromJson(text));
  const ofEntry = (bind: Placeholders<{ organizationId: string; subjectId: string }>) =>
    sql`FROM ${table} WHERE ${table.id} = ${bind.subjectId} AND ${table.organization_id} = ${bind.organizationId}`;
  const insert = inserting(table, selection);
  return {
    /** A page of records in the token's organization. */
    page: (values: PageValues): Query<FoundPage<ReturnType<typeof toAnswer>>> => {
      const { page, end } = findPage(values);
      const isFull = (found: readonly unknown[]) => found.length === values.limit;
      return mapped(page, (found) => ({ ...toPage(found), end: isFull(found) ? null : end }));
    },
    /** A record in the token's organization. */
    find,
    /** A record in an organization, after a write or for an admin. */
    read: (organizationId: string, id: string) => read({ organizationId, id }),
    /** The record in the organization that meets a condition. */
    where: (organizationId: string, condition: SQL) =>
      one(and(condition, eq(table.organization_id, organizationId))),
    /** Writes the ledger entry for a request that created a record, with the record as the response. */
    record: recorder(json, ofEntry, fromText),
    /** Parses the response stored in such an entry. */
    fromText,
    /** Inserts a record and returns it. It cannot be used if `more` reads rows that are written later. */
    insert: (values: InferInsertModel<T>) =>
      required(mapped(insert(values), (made) => made && toAnswer(made))),
  };
}
