import type { SQLWrapper } from "drizzle-orm";
import type { Staff } from "../../core/actor.ts";
import { changeWithAudit, recordOnce } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { statement } from "../../db/build.ts";
import { type Answers, batch, type Query } from "../../db/query.ts";
import type { ReviewClient } from "../visits/review-client.ts";

/**
 * Inserts a row into a review and reads it, in one transaction. Admins' changes also go into the audit log. Clients'
 * changes do not, because the review itself shows them.
 */
export async function changeInReview<const Q extends readonly Query<unknown>[]>(
  context: Context<Staff | ReviewClient, "db">,
  audit: Parameters<typeof changeWithAudit>[1],
  { id, insert }: { id: string; insert: SQLWrapper },
  reads: Q,
): Promise<Answers<Q>> {
  const { actor } = context;
  if (actor.kind !== "client") return changeWithAudit({ ...context, actor }, audit, insert, reads);
  const changes = [statement(insert), ...recordOnce(context, { action: audit.action, subjectId: id })];
  // The cast is safe: results come in the order of the queries.
  return (await batch(context.services.db, [...changes, ...reads])).slice(changes.length) as Answers<Q>;
}
