import { and, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Member, Organization } from "../contract/workspace/organization.ts";
import { build, changesRow, insertSelect, statement } from "../db/build.ts";
import { batch, type Query } from "../db/query.ts";
import { type OwnedTable, owned } from "../db/records.ts";
import { auditLog } from "../db/schema/workspace.ts";

/** An admin at work: in which workspace, as whom. */
export interface AdminContext {
  db: D1Database;
  organization: Organization;
  actor: Member;
}

/** Goes into the batch of a change, right behind its statement; writes nothing if that changed no row. */
export const audited = (
  { organization, actor }: { organization: { id: string }; actor: { email: string } },
  action: string,
  subject_id: string,
  details: Record<string, unknown> = {},
): Query<void> => {
  const entry = { id: crypto.randomUUID(), organization_id: organization.id, actor: actor.email };
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

/** The same for one record of the workspace, which it finds as the change left it. */
export const changeRecord = <T extends OwnedTable, R>(
  context: AdminContext,
  table: T,
  id: string,
  { set, guard, find, ...audit }: RecordChange<T, R>,
): Promise<{ changed: boolean; record: R | null }> => {
  const own = owned(table, context.organization.id, id);
  const change = build.update(table).set(set).where(and(own, guard)).returning({ id: table.id });
  return changeWithAudit(context, { ...audit, subjectId: id }, change, find(context.organization.id, id));
};
