import { claimLimits } from "../../contract/limits.ts";
import type { SendRecord } from "../../contract/messages.ts";
import { Refusal, refuse } from "../../contract/refusal.ts";
import { beginMail, cancelMail, type NewEntry, type Recorded } from "../../core/ledger/ledger.ts";
import { tooManyMails, uncountMail } from "../../core/mails/mails.ts";
import type { Services } from "../../core/services.ts";
import { batch } from "../../db/query.ts";
import { report } from "../../platform/log.ts";
import { type Mail, type Mailer, sendMail } from "../../platform/mail.ts";
import { newId } from "../../platform/new-id.ts";
import { retry } from "../../platform/timeout.ts";
import { type Mailing, mailedLink } from "../access/save-mailed-key.ts";
import { linkBase } from "../access/share-url.ts";
import type { Send } from "./record.ts";
import { recordSend, statusWarnings } from "./record-send.ts";

export type MailingServices = "db" | "sendRecords" | "rememberSent" | keyof Mailer;

/** The share URL, and whether links in e-mails may use its origin. */
export interface SharedAt {
  shareUrl: string;
  isOnAllowedOrigin: number;
}

/** An e-mail that asks a client for a review: a send or a reminder. */
interface ReviewMailing {
  mailing: Mailing & SharedAt;
  /** Composes the e-mail with its personal link. */
  mailWith(link: string): Mail;
  record: Pick<SendRecord, "actorId" | "versionNumber" | "message" | "remindAfterDays" | "reminder">;
  entry: NewEntry;
}

/**
 * E-mails the client and records the e-mail. Once the e-mail is sent, the send has succeeded. If the database does not
 * accept the record, a queue retries until it does (queues/send-records.ts).
 */
export async function mailAndRecord(
  services: Pick<Services, MailingServices>,
  request: ReviewMailing,
): Promise<Recorded<Send> | Refusal> {
  const { deliverableId, reminderDueAt = "" } = request.mailing;
  const { organizationId, key, fingerprint } = request.entry;
  const messageId = await mailReview(services, request);
  if (messageId instanceof Refusal) return messageId;
  // The reminder is due by the database's clock, and this Worker's clock may be slow.
  const sentAt = [new Date().toISOString(), reminderDueAt].sort()[1] as string;
  const mail = { ...request.record, id: newId(), organizationId, key, deliverableId, sentAt, messageId };
  const answeredWarning = statusWarnings.recordedLater;
  const answer: Send = {
    ok: true,
    status_warning: answeredWarning,
    id: deliverableId,
    version_number: mail.versionNumber,
    sent_at: sentAt,
    reminder_due_at: null,
  };
  try {
    const send = await recordSend(services.db, { ...mail, answeredWarning: null });
    return { answer: send ?? answer, hasDueDeliveries: send !== null };
  } catch (error) {
    report({ recording: deliverableId }, error);
    const kept = [
      services.sendRecords.send({ ...mail, answeredWarning }),
      retry(() =>
        services.rememberSent(organizationId, { key, fingerprint, answer: JSON.stringify(answer) }),
      ),
    ];
    for (const keeping of await Promise.allSettled(kept))
      if (keeping.status === "rejected") report({ unrecorded: deliverableId }, keeping.reason);
    return { answer, hasDueDeliveries: false };
  }
}

/**
 * Sends an e-mail with its personal link, and returns its message id or the refusal. Writes the ledger entry, the key
 * and the count first. If sending fails, removes the entry and the count.
 */
async function mailReview(
  services: Pick<Services, "db" | keyof Mailer>,
  { mailing, mailWith, entry }: ReviewMailing,
): Promise<string | Refusal> {
  const { db, applicationUrl } = services;
  const { organizationId, deliverableId, clientEmail } = mailing;
  let link: string | null;
  try {
    const { dropExpired, begin } = beginMail(entry, claimLimits.leaseSeconds);
    link = await mailedLink(db, linkBase(applicationUrl, mailing), mailing, { dropExpired, begin });
  } catch (error) {
    const refusal = tooManyMails(error, Date.now());
    if (refusal) return refusal;
    throw error;
  }
  if (link === null) {
    report({ mailing: deliverableId }, "its client or its state changed since it was read");
    return refuse("email_send_failed");
  }
  try {
    return await sendMail(services, mailWith(link));
  } catch (error) {
    report({ mailing: deliverableId }, error);
    const undone = batch(db, [cancelMail(entry), uncountMail(organizationId, clientEmail)]);
    await undone.catch((lost) => report({ counting: deliverableId }, lost));
    return refuse("email_send_failed");
  }
}
