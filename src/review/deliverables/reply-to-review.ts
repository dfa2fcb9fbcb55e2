import { and, eq, sql } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeWithAudit } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { insertSelect } from "../../db/build.ts";
import { owned } from "../../db/records.ts";
import { report } from "../../platform/log.ts";
import type { Mailer } from "../../platform/mail.ts";
import { newId } from "../../platform/new-id.ts";
import { findFeedback } from "../feedback/read-feedback.ts";
import type { RecordedFeedback } from "../feedback/record.ts";
import { hasRoom } from "../feedback/record-feedback.ts";
import { feedback } from "../feedback/tables.ts";
import { sendNotices } from "../notices/send-notices.ts";
import { deliverableResource } from "./read-deliverables.ts";
import { deliverables as table } from "./tables.ts";

/**
 * Adds an admin's reply to a review's conversation and e-mails the client. A reply does not change the review's state
 * or fire an event. The cron retries a failed e-mail.
 */
export async function replyToReview(
  context: Context<Staff, "db" | keyof Mailer>,
  { deliverable: of, body }: { deliverable: string; body: string },
): Promise<RecordedFeedback | Refusal> {
  const { actor, services, organization } = context;
  const id = newId();
  const reply = {
    id,
    organization_id: organization.id,
    deliverable_id: of,
    version_number: sql`${table.version_number}`,
    kind: "reply" as const,
    body,
    author_name: actor.name ?? actor.email,
    attribution: "recorded_by_admin" as const,
  };
  const may = and(
    owned(table, organization.id, of),
    eq(table.current_state, "open"),
    hasRoom(organization.id, of),
  );
  const [record, deliverable] = await changeWithAudit(
    context,
    { action: "deliverable.replied", subjectId: of, details: { feedback_id: id } },
    insertSelect(feedback, reply, sql`FROM ${table} WHERE ${may}`),
    [findFeedback(organization.id, id), deliverableResource.read(organization.id, of)],
  );
  if (!deliverable) return noSuch("deliverable", of);
  if (!record) return refuse(deliverable.current_state === "open" ? "review_full" : "deliverable_signed_off");
  await sendNotices(services, organization.id).catch((error) => report({ replying: of }, error));
  return { ...record, deliverable };
}
