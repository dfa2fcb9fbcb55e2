import type { SQLWrapper } from "drizzle-orm";
import { statement } from "../../db/build.ts";
import { type Answers, batch, type Query } from "../../db/query.ts";
import { derivedUuid } from "../../platform/digest.ts";
import type { Admin, Client, Operator } from "../actor.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";

interface StaffContext extends AdminContext {
  actor: Admin | Operator;
}

interface ClientContext {
  db: D1Database;
  organization: { id: string };
  actor: Client;
  /** Names the form that was sent, and its review. */
  form: string;
}

/** Who can say or sign something in a review: the client on its page, or an admin who records what a client said. */
export type ReviewerContext = StaffContext | ClientContext;

const isStaff = (context: ReviewerContext): context is StaffContext => context.actor.kind !== "client";

/** The id of what is made: a client's form gives the same one each time it is sent. */
export const newIdInReview = (context: ReviewerContext): string =>
  isStaff(context) ? crypto.randomUUID() : derivedUuid("made in a review", context.form);

/**
 * Changes something in a review and reads, in one transaction. What an admin records stands in the audit log too; what
 * a client does stands in the review itself.
 */
export async function changeInReview<const Q extends readonly Query<unknown>[]>(
  context: ReviewerContext,
  audit: Parameters<typeof changeWithAudit>[1],
  change: SQLWrapper,
  reads: Q,
): Promise<Answers<Q>> {
  if (isStaff(context)) return changeWithAudit(context, audit, change, reads);
  const [, ...found] = await batch(context.db, [statement(change), ...reads]);
  return found;
}
