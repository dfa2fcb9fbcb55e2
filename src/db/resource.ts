import { and, eq, type InferInsertModel, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { SelectedFields, SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type * as z from "zod";
import type { Scope } from "../contract/scopes.ts";
import { type Answer, answerOf, type More } from "./answer.ts";
import { build, inserting, type Placeholders, prepared, type RowOf, row } from "./build.ts";
import { organizationOf } from "./organization.ts";
import {
  type Children,
  type FilterConditions,
  type FoundPage,
  type PageValues,
  pageQueries,
} from "./pages.ts";
import { mapped, type Query, required } from "./query.ts";

/** A record that an earlier request made, with that request's fingerprint. */
export interface Existing {
  fingerprint: string | null;
  answer: object;
}

/** A table whose records belong to organizations, are listed by their last change and made by requests. */
type ResourceTable = SQLiteTable &
  Record<"organization_id" | "updated_at" | "id" | "request_fingerprint", SQLiteColumn>;

interface Options<T extends ResourceTable, Shape extends z.ZodRawShape, M extends More> {
  /** The scope of the tokens that may read it. */
  scope: Scope;
  /** Fields that are no column of the table. */
  more: M;
  /** The fields that hold a record's own records, by name. */
  children?: Readonly<Record<string, Children>>;
  complete(row: Answer<T, Shape> & RowOf<M>): z.output<z.ZodObject<Shape>>;
  /** The column that holds the row's Idempotency-Key; without one, the id, which derives from the key. */
  keyColumn?: SQLiteColumn;
  /** Filters that are no column. */
  conditions?: FilterConditions;
}

/**
 * The reads of a resource. Each is one statement, built once; its answer follows from the table and the schema that
 * documents it (db/answer.ts).
 */
export function resource<T extends ResourceTable, Shape extends z.ZodRawShape, M extends More>(
  table: T,
  schema: z.ZodObject<Shape>,
  { scope, more, children = {}, complete, keyColumn = table.id, conditions = {} }: Options<T, Shape, M>,
) {
  const { selection, read: readAnswer } = answerOf(table, schema, more);
  const toAnswer = (found: Record<string, unknown>) => complete(readAnswer(found));
  const select = (where: SQL | undefined) => build.select(selection).from(table).where(where).$dynamic();
  const one = (where: SQL | undefined) =>
    mapped(row(selection, select(where)), (found) => (found === null ? null : toAnswer(found)));
  const ofToken = (tokenHash: Placeholder) => eq(table.organization_id, organizationOf(tokenHash, scope));

  const findPage = pageQueries({ table, selection, conditions, scope, children });
  /** Ends a page before a record whose children D1 did not hand over. */
  const toPage = (found: Record<string, unknown>[]): FoundPage<ReturnType<typeof toAnswer>> => {
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
  const existing = prepared((bind: Placeholders<{ organizationId: string; key: string }>) => {
    const where = and(eq(keyColumn, bind.key), eq(table.organization_id, bind.organizationId));
    return existingRecord(table, { selection, toAnswer }, where);
  });
  const insert = inserting(table, selection);
  return {
    /** A page of the token's organization. */
    page: (values: PageValues) => mapped(findPage(values), toPage),
    /** A record of the token's organization. */
    find,
    /** A record of an organization: after a write, or for an admin. */
    read: (organizationId: string, id: string) => read({ organizationId, id }),
    /** The record of an organization that meets a condition. */
    where: (organizationId: string, condition: SQL) =>
      one(and(condition, eq(table.organization_id, organizationId))),
    /** The record that an earlier attempt of a request made. */
    existing: (organizationId: string, key: string) => existing({ organizationId, key }),
    /** Writes a record and answers with it. It does not fit a record whose `more` reads rows that are written later. */
    insert: (values: InferInsertModel<T>) =>
      required(mapped(insert(values), (made) => made && toAnswer(made))),
  };
}

/** Reads one record as the result of an earlier attempt of a request. */
export function existingRecord<S extends SelectedFields>(
  table: SQLiteTable & Record<"request_fingerprint", SQLiteColumn>,
  { selection, toAnswer }: { selection: S; toAnswer(row: Record<string, unknown>): object },
  where: SQL | undefined,
): Query<Existing | null> {
  const fields = {
    ...selection,
    request_fingerprint: sql<string | null>`${table.request_fingerprint}`.as("request_fingerprint"),
  };
  return mapped(row(fields, build.select(fields).from(table).where(where)), (made) => {
    if (made === null) return null;
    const { request_fingerprint, ...record } = made;
    return { fingerprint: request_fingerprint, answer: toAnswer(record) };
  });
}
