import { and, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Member, Organization } from "../contract/workspace/organization.ts";
import { build, changesRow, insertSelect, statement } from "../db/build.ts";
import { batch, type Query } from "../db/query.ts";
import { type OwnedTable, owned } from "../db/records.ts";
import { auditLog } from "../db/schema/workspace.ts";
import { withBeforeAndAfter } from "./before-and-after.ts";
import { newId } from "./made-by-form.ts";

/** An admin at work: in which workspace, as whom. */
export interface AdminContext {
  db: D1Database;
  organization: Organization;
  actor: Member;
  /** Who called with the platform's keys, as their machine says; null: an admin who signed in. */
  operator: string | null;
  /** Names the filled form that was sent, and its workspace; undefined: no form was. */
  form?: string | undefined;
}

/** What the audit log takes of a context. */
interface AuditedContext extends Pick<AdminContext, "operator"> {
  organization: { id: string };
  actor: { email: string };
}

/** Goes into the batch of a change, right behind its statement; writes nothing if that changed no row. */
export const audited = (
  { organization, actor, operator }: AuditedContext,
  action: string,
  subject_id: string,
  details: Record<string, unknown> = {},
): Query<void> => {
  const entry = { organization_id: organization.id, actor: actor.email, operator };
  return statement(
    insertSelect(auditLog, { ...entry, action, subject_id, details }, sql`WHERE changes() > 0`),
  );
};

/** What a change is called in the audit log. */
interface Audit {
  action: string;
  details?: Record<string, unknown>;
}

/**
 * Changes something, writes the audit log and reads a record in one transaction. The statement of the change ends in
 * RETURNING; `changed` is false if no row was there to change, and then nothing is logged either.
 */
export async function changeWithAudit<R>(
  context: AdminContext,
  { action, subjectId, details }: Audit & { subjectId: string },
  change: SQLWrapper,
  read: Query<R | null>,
): Promise<{ changed: boolean; record: R | null }> {
  const [changed, , record] = await batch(context.db, [
    changesRow(change),
    audited(context, action, subjectId, details),
    read,
  ]);
  return { changed, record };
}

interface RecordChange<T extends OwnedTable, R> extends Audit {
  set: SQLiteUpdateSetSource<T>;
  /** When the record may be changed so; always, if it is left out. */
  guard?: SQL | undefined;
  find(organizationId: string, id: string): Query<R | null>;
}

/**
 * The same for one record of the workspace, which it finds as the change left it. The line of the log stands before the
 * change, under the same condition, so that it holds what each column was and what it becomes. Of a form,
 * the line has its id from the form.
 */
export const changeRecord = async <T extends OwnedTable, R>(
  context: AdminContext,
  table: T,
  id: string,
  { set, guard, find, action, details = {} }: RecordChange<T, R>,
): Promise<{ changed: boolean; record: R | null }> => {
  const { db, organization, actor, operator } = context;
  const where = and(owned(table, organization.id, id), guard);
  const change = build.update(table).set(set).where(where).returning({ id: table.id });
  const entry = { organization_id: organization.id, actor: actor.email, operator, action, subject_id: id };
  const line = { id: newId(context), ...entry, details: withBeforeAndAfter(table, set, details) };
  const [, changed, record] = await batch(db, [
    statement(insertSelect(auditLog, line, sql`FROM ${table} WHERE ${where}`)),
    changesRow(change),
    find(organization.id, id),
  ]);
  return { changed, record };
};
