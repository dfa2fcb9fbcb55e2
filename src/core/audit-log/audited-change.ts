import { and, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { build, changesRow, insertSelect, statement } from "../../db/build.ts";
import { type Answers, batch, type Query } from "../../db/query.ts";
import { type OwnedTable, owned } from "../../db/records.ts";
import type { Actor, Staff } from "../actor.ts";
import type { Context } from "../context.ts";
import { type Kept, type NewEntry, recordChange } from "../ledger/ledger.ts";
import { withBeforeAndAfter } from "./before-and-after.ts";
import { auditLog } from "./tables.ts";

/** The fields that every audit log entry takes from its context. */
export const entryOf = ({ organization, actor }: Context<Staff, never>) => ({
  organization_id: organization.id,
  actor: actor.email,
  operator: actor.kind === "operator" ? actor.operator : null,
});

/** Runs in a change's batch, right after its statement; writes nothing if that statement changed no row. */
export const auditEntry = (
  context: Context<Staff, never>,
  action: string,
  subject_id: string,
  details: Record<string, unknown> = {},
): Query<void> =>
  statement(
    insertSelect(auditLog, { ...entryOf(context), action, subject_id, details }, sql`WHERE changes() > 0`),
  );

/**
 * Runs right after the audit log entry: the ledger entry that makes a resubmitted form, or an operation
 * repeated with its key, take effect only once.
 */
export const doneOnce = (
  { request }: Context<Actor, never>,
  did: Pick<NewEntry, "action" | "subjectId" | "details">,
  kept?: Kept,
): Query<void>[] => (request ? [recordChange({ ...request, ...did }, kept)] : []);

/** The two entries that accompany every change by an admin. */
export const audited = (
  context: Context<Staff, never>,
  action: string,
  subjectId: string,
  details: Record<string, unknown> = {},
  kept?: Kept,
): Query<void>[] => [
  auditEntry(context, action, subjectId, details),
  ...doneOnce(context, { action, subjectId, details }, kept),
];

/** The change's name in the audit log. */
interface Audit {
  action: string;
  details?: Record<string, unknown>;
}

/** Changes something, writes the audit log if a row changed, and reads the record, all in one transaction. */
export async function changeWithAudit<const Q extends readonly Query<unknown>[]>(
  context: Context<Staff, "db">,
  { action, subjectId, details }: Audit & { subjectId: string },
  change: SQLWrapper,
  reads: Q,
): Promise<Answers<Q>> {
  const changes: readonly Query<unknown>[] = [
    statement(change),
    ...audited(context, action, subjectId, details),
  ];
  // The cast is safe: results come in the order of the queries.
  return (await batch(context.services.db, [...changes, ...reads])).slice(changes.length) as Answers<Q>;
}

interface RecordChange<T extends OwnedTable, R> extends Audit {
  set: SQLiteUpdateSetSource<T>;
  /** The condition that the record must meet; absent if the change is always allowed. */
  guard?: SQL | undefined;
  /** The part of the result that no record holds, encrypted. */
  secret?: string;
  /** Other changes in the same transaction. */
  also?: readonly Query<unknown>[];
  find(organizationId: string, id: string): Query<R | null>;
}

interface Changing<T extends OwnedTable> extends Audit {
  set: SQLiteUpdateSetSource<T>;
  where: SQL | undefined;
}

/** The audit entry that precedes its change, under the same condition; it holds each column's old and new value. */
export const entryBefore = <T extends OwnedTable>(
  context: Context<Staff, never>,
  table: T,
  { set, where, action, details = {} }: Changing<T>,
): Query<void> => {
  const entry = {
    ...entryOf(context),
    action,
    subject_id: sql`${table.id}`,
    details: withBeforeAndAfter(table, set, details),
  };
  return statement(insertSelect(auditLog, entry, sql`FROM ${table} WHERE ${where}`));
};

/**
 * Changes one record of the workspace, writes the audit log and reads the changed record. The entry is written
 * before the change, under the same condition, so that it has each column's old and new value.
 */
export const changeRecord = async <T extends OwnedTable, R>(
  context: Context<Staff, "db">,
  table: T,
  id: string,
  { set, guard, secret, also = [], find, action, details = {} }: RecordChange<T, R>,
): Promise<{ changed: boolean; record: R | null }> => {
  const { services, organization } = context;
  const where = and(owned(table, organization.id, id), guard);
  const change = build.update(table).set(set).where(where).returning({ id: table.id });
  const queries: readonly Query<unknown>[] = [
    ...also,
    entryBefore(context, table, { set, where, action, details }),
    ...doneOnce(context, { action, subjectId: id, details }, { secret }),
  ];
  const answers = await batch(services.db, [...queries, changesRow(change), find(organization.id, id)]);
  const [changed, record] = answers.slice(queries.length) as [boolean, R | null];
  return { changed, record };
};
