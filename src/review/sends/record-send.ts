import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { SendRecord } from "../../contract/messages.ts";
import { finishMail } from "../../core/ledger/ledger.ts";
import { build, insertSelect, type Placeholders, prepared, row, statement } from "../../db/build.ts";
import { mapped, type Query, runLast } from "../../db/query.ts";
import { retry } from "../../platform/timeout.ts";
import { isErased } from "../../work/clients/erased.ts";
import { clients } from "../../work/clients/tables.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { nextReminder } from "../deliverables/next-reminder.ts";
import { deliverables, deliverableSends as sends } from "../deliverables/tables.ts";
import { Send } from "./record.ts";

/** Why the status did not change although the e-mail was sent. */
export const statusWarnings = {
  noStatusFlagged:
    "The e-mail was sent. No status is flagged as on-send, so the status label did not change.",
  signedOffMeanwhile:
    "The e-mail was sent. The deliverable was signed off meanwhile, so its status did not change.",
  newerVersion: "The e-mail was sent. A newer version was added meanwhile; it has not been sent.",
  recordedLater: "The e-mail was sent. Its record is delayed, so the status will change later.",
} as const;

/** The deliverable may have changed while the e-mail was being sent. */
const dueWarning = (versionNumber: unknown) => sql`iif(${deliverables.current_state} = 'signed_off',
  ${statusWarnings.signedOffMeanwhile}, iif(${deliverables.version_number} <> ${versionNumber},
  ${statusWarnings.newerVersion}, iif(${organizations.on_send_status_label} IS NULL,
  ${statusWarnings.noStatusFlagged}, NULL)))`;

/** Whether a reminder may follow: not for signed-off work, older versions or archived clients. */
const mayRemind = (versionNumber: unknown) => sql`${deliverables.current_state} = 'open'
  AND ${deliverables.version_number} = ${versionNumber} AND ${clients.status} <> 'archived'`;

const insertSend = prepared((bind: Placeholders<SendRecord>) =>
  statement(
    insertSelect(
      sends,
      {
        id: sql`${bind.id}`,
        organization_id: sql`${deliverables.organization_id}`,
        deliverable_id: sql`${deliverables.id}`,
        version_number: sql`${bind.versionNumber}`,
        message: sql`iif(${isErased}, NULL, ${bind.message})`,
        status_warning: sql`iif(${bind.reminder} IS NULL,
          coalesce(${bind.answeredWarning}, ${dueWarning(bind.versionNumber)}), NULL)`,
        sent_by: sql`${bind.actorId}`,
        sent_at: sql`${bind.sentAt}`,
        remind_after_days: sql`iif(${mayRemind(bind.versionNumber)},
          coalesce(${bind.remindAfterDays}, ${organizations.reminder_days}), 0)`,
        reminder: sql`${bind.reminder}`,
        message_id: sql`iif(${isErased}, NULL, ${bind.messageId})`,
      },
      sql`FROM ${deliverables} JOIN ${organizations} ON ${eq(organizations.id, deliverables.organization_id)}
        JOIN ${clients} ON ${eq(clients.id, deliverables.client_id)}
        WHERE ${and(eq(deliverables.id, bind.deliverableId), eq(deliverables.organization_id, bind.organizationId))}
        ON CONFLICT (id) DO NOTHING`,
    ),
  ),
);

const ofSend = (organizationId: string, id: string) =>
  and(eq(sends.id, id), eq(sends.organization_id, organizationId));

/** The response to a send as JSON, as the ledger entry stores it. */
const answer = sql<string>`json_object('ok', json('true'), 'status_warning', ${sends.status_warning},
  'id', ${sends.deliverable_id}, 'version_number', ${sends.version_number}, 'sent_at', ${sends.sent_at},
  'reminder_due_at', ${nextReminder(sends)})`;

const answerColumn = { answer: answer.as("answer") };

const sendOf = (where: SQL | undefined): Query<Send | null> =>
  mapped(
    row(
      answerColumn,
      build.select(answerColumn).from(sends).where(where).orderBy(desc(sends.sent_at)).limit(1),
    ),
    (found) => found && Send.parse(JSON.parse(found.answer)),
  );

/** Reads a version's newest send, excluding reminders. */
export const readSend = (organizationId: string, deliverableId: string, versionNumber: number) =>
  sendOf(
    and(
      eq(sends.deliverable_id, deliverableId),
      eq(sends.organization_id, organizationId),
      eq(sends.version_number, versionNumber),
      isNull(sends.reminder),
    ),
  );

/** Queries that insert a sent e-mail's row, store the response in the ledger entry, and read the response. */
export function recordingSend(record: SendRecord) {
  const where = ofSend(record.organizationId, record.id);
  const kept = sql`(SELECT ${answer} FROM ${sends} WHERE ${where})`;
  return [insertSend({ ...record }), finishMail(record, kept), sendOf(where)] as const;
}

/**
 * Records a sent e-mail once, however often it is called. A trigger updates the deliverable and records the event.
 * Returns null if the workspace was erased in the meantime.
 */
export const recordSend = (db: D1Database, record: SendRecord): Promise<Send | null> =>
  retry(() => runLast(db, recordingSend(record)));
