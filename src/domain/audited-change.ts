import type { Member, Organization } from "../contract/workspace/organization.ts";
import { batch, type Query, statement } from "../db/query.ts";

/** An admin at work: in which workspace, as whom. */
export interface AdminContext {
  db: D1Database;
  organization: Organization;
  actor: Member;
}

const auditSql = `
INSERT INTO audit_log (id, organization_id, actor, action, subject_id, details)
SELECT ?, ?, ?, ?, ?, ? WHERE changes() > 0`;

/** Goes into the batch of a change, right behind its statement; writes nothing if that changed no row. */
export const audited = (
  { organization, actor }: { organization: { id: string }; actor: { email: string } },
  action: string,
  subjectId: string,
  details: Record<string, unknown> = {},
): Query<void> =>
  statement(
    auditSql,
    crypto.randomUUID(),
    organization.id,
    actor.email,
    action,
    subjectId,
    JSON.stringify(details),
  );

/** A state change: what it is called in the audit log and what it changes. Its SQL ends in RETURNING. */
interface AuditedChange<T> {
  action: string;
  subjectId: string;
  details?: Record<string, unknown>;
  change: { sql: string; params: readonly unknown[] };
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
    { ...change, read: (rows) => rows.length > 0 } satisfies Query<boolean>,
    audited(context, action, subjectId, details),
    read,
  ]);
  return { changed, record };
}
