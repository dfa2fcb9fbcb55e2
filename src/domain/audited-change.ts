import { type SQLWrapper, sql } from "drizzle-orm";
import type { Member, Organization } from "../contract/workspace/organization.ts";
import { changesRow, insertSelect, statement } from "../db/build.ts";
import { batch, type Query } from "../db/query.ts";
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

/** A state change: what it is called in the audit log and what it changes. Its statement ends in RETURNING. */
interface AuditedChange<T> {
  action: string;
  subjectId: string;
  details?: Record<string, unknown>;
  change: SQLWrapper;
  read: Query<T | null>;
}

/**
 * Changes a record, writes the audit log and reads the record in one transaction. `changed` is false if no row was
 * there to change; then nothing is logged either.
 */
export async function changeWithAudit<T>(
  context: AdminContext,
  { action, subjectId, details, change, read }: AuditedChange<T>,
): Promise<{ changed: boolean; record: T | null }> {
  const [changed, , record] = await batch(context.db, [
    changesRow(change),
    audited(context, action, subjectId, details),
    read,
  ]);
  return { changed, record };
}
