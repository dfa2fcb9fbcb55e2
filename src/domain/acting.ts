import type { Member, Organization } from "../catalogue/workspace/organization.ts";
import { batch, type Query, statement } from "../db/query.ts";

/** An admin at work: in which workspace, as whom. */
export interface Acting {
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
interface Deed<T> {
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
export async function act<T>(acting: Acting, deed: Deed<T>): Promise<{ changed: boolean; record: T | null }> {
  const change: Query<boolean> = { ...deed.change, read: (rows) => rows.length > 0 };
  const audit = audited(acting, deed.action, deed.subjectId, deed.details);
  const [changed, , record] = await batch(acting.db, [change, audit, deed.read]);
  return { changed, record };
}
