import type { SQLWrapper } from "drizzle-orm";
import { statement } from "../../db/build.ts";
import { type RequestIdentity, recordChange } from "../../db/ledger.ts";
import { type Answers, batch, type Query } from "../../db/query.ts";
import type { Admin, Client, Operator } from "../actor.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";

interface StaffContext extends AdminContext {
  actor: Admin | Operator;
}

interface ClientContext {
  db: D1Database;
  organization: { id: string };
  actor: Client;
  form: RequestIdentity;
}

/** Who can say or sign something in a review: the client on its page, or an admin who records what a client said. */
export type ReviewerContext = StaffContext | ClientContext;

const isStaff = (context: ReviewerContext): context is StaffContext => context.actor.kind !== "client";

/**
 * Makes a row of a review and reads, in one transaction. What an admin records stands in the audit log too; what a
 * client does stands in the review itself.
 */
export async function changeInReview<const Q extends readonly Query<unknown>[]>(
  context: ReviewerContext,
  audit: Parameters<typeof changeWithAudit>[1],
  { id, insert }: { id: string; insert: SQLWrapper },
  reads: Q,
): Promise<Answers<Q>> {
  if (isStaff(context)) return changeWithAudit(context, audit, insert, reads);
  const line = recordChange({ ...context.form, action: audit.action, subjectId: id });
  const [, , ...found] = await batch(context.db, [statement(insert), line, ...reads]);
  return found;
}
