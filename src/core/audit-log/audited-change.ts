import { and, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { build, changesRow, insertSelect, statement } from "../../db/build.ts";
import { type Answers, batch, type Query } from "../../db/query.ts";
import { type OwnedTable, owned } from "../../db/records.ts";
import type { Actor, Staff } from "../actor.ts";
import type { Context } from "../context.ts";
import { type EntryContents, type NewEntry, recordChange } from "../ledger/ledger.ts";
import { withBeforeAndAfter } from "./before-and-after.ts";
import { auditLog } from "./tables.ts";

/** Returns the columns of an audit log entry that come from the context. */
export const auditColumns = ({ organization, actor }: Context<Staff, never>) => ({
  organization_id: organization.id,
  actor: actor.email,
  operator: actor.kind === "operator" ? actor.operator : null,
});

/** Writes an audit log entry if the batch's preceding statement changed a row. */
export const auditEntry = (
  context: Context<Staff, never>,
  action: string,
  subject_id: string,
  details: Record<string, unknown> = {},
): Query<void> =>
  statement(
    insertSelect(
      auditLog,
      { ...auditColumns(context), action, subject_id, details },
      sql`WHERE changes() > 0`,
    ),
  );

/**
 * Writes the ledger entry that makes a resubmitted form, or an operation repeated with its key, take effect only once.
 * It must come right after the audit log entry, because it is also conditional on `changes()`.
 */
export const recordOnce = (
  { request }: Context<Actor, never>,
  did: Pick<NewEntry, "action" | "subjectId" | "details">,
  kept?: EntryContents,
): Query<void>[] => (request ? [recordChange({ ...request, ...did }, kept)] : []);

/** Builds the audit log entry and the ledger entry for an admin's change. */
export const changeEntries = (
  context: Context<Staff, never>,
  action: string,
  subjectId: string,
  details: Record<string, unknown> = {},
  kept?: EntryContents,
): Query<void>[] => [
  auditEntry(context, action, subjectId, details),
  ...recordOnce(context, { action, subjectId, details }, kept),
];

interface Audit {
  action: string;
  details?: Record<string, unknown>;
}

/** Runs a change, its audit entries and the reads in one transaction, and returns the reads' results. */
export async function changeWithAudit<const Q extends readonly Query<unknown>[]>(
  context: Context<Staff, "db">,
  { action, subjectId, details }: Audit & { subjectId: string },
  change: SQLWrapper,
  reads: Q,
): Promise<Answers<Q>> {
  const changes: readonly Query<unknown>[] = [
    statement(change),
    ...changeEntries(context, action, subjectId, details),
  ];
  // The cast is safe: results come in the order of the queries.
  return (await batch(context.services.db, [...changes, ...reads])).slice(changes.length) as Answers<Q>;
}

interface RecordChange<T extends OwnedTable, R> extends Audit {
  set: SQLiteUpdateSetSource<T>;
  /** A condition that the record must meet for the change to happen. */
  guard?: SQL | undefined;
  /** A secret that only the result contains. It is stored encrypted, so that a repeated call can return it. */
  secret?: string;
  /** Further changes, run first in the same transaction. */
  also?: readonly Query<unknown>[];
  find(organizationId: string, id: string): Query<R | null>;
}

interface Changing<T extends OwnedTable> extends Audit {
  set: SQLiteUpdateSetSource<T>;
  where: SQL | undefined;
}

/**
 * Writes the audit entry before the change and under the same condition, so that it can record each column's old and
 * new value.
 */
export const auditEntryBefore = <T extends OwnedTable>(
  context: Context<Staff, never>,
  table: T,
  { set, where, action, details = {} }: Changing<T>,
): Query<void> => {
  const entry = {
    ...auditColumns(context),
    action,
    subject_id: sql`${table.id}`,
    details: withBeforeAndAfter(table, set, details),
  };
  return statement(insertSelect(auditLog, entry, sql`FROM ${table} WHERE ${where}`));
};

/** Changes one of the workspace's records, writes to the audit log and returns the updated record. */
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
    auditEntryBefore(context, table, { set, where, action, details }),
    ...recordOnce(context, { action, subjectId: id, details }, { secret }),
  ];
  const answers = await batch(services.db, [...queries, changesRow(change), find(organization.id, id)]);
  const [changed, record] = answers.slice(queries.length) as [boolean, R | null];
  return { changed, record };
};
