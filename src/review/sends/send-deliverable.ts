import { and, eq, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { claimLimits } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import type { Context } from "../../core/context.ts";
import { beginMail, cancelMail, type NewEntry, type Recorded } from "../../core/ledger/ledger.ts";
import { tooManyMails, uncountMail } from "../../core/mails/mails.ts";
import type { Services } from "../../core/services.ts";
import { build, named, nullable, type Placeholders, prepared, rowOf } from "../../db/build.ts";
import { batch, mapped, type Query } from "../../db/query.ts";
import { report } from "../../platform/log.ts";
import { type Mailer, sendMail } from "../../platform/mail.ts";
import { newId } from "../../platform/new-id.ts";
import { retry } from "../../platform/timeout.ts";
import { clients } from "../../work/clients/tables.ts";
import { projects } from "../../work/projects/tables.ts";
import { accentOf } from "../../workspace/brands/tables.ts";
import { members } from "../../workspace/members/tables.ts";
import { grantedBy } from "../../workspace/tokens/organization-of.ts";
import type { TokenActor } from "../../workspace/tokens/principal.ts";
import { apiTokens } from "../../workspace/tokens/tables.ts";
import { mailedLink } from "../access/keep-mailed-key.ts";
import { linkBase, standsOnAllowedOrigin } from "../access/share-url.ts";
import { deliverables } from "../deliverables/tables.ts";
import type { Send } from "./record.ts";
import { recordSend, statusWarnings } from "./record-send.ts";
import { type ReviewRequest, reviewMail } from "./review-mail.ts";

/** The share URL, and whether links in mails may use its origin. */
interface SharedAt {
  shareUrl: string;
  isOnAllowedOrigin: number;
}

interface SendableDeliverable
  extends SharedAt,
    Omit<ReviewRequest, "organizationName" | "message" | "clientEmail" | "link"> {
  id: string;
  clientEmail: string | null;
  isSignedOff: boolean;
  isSample: boolean;
}

/** All that the mail says except its personal link, which is made for each mail. */
export type SendableReview = Omit<ReviewRequest, "link"> & SharedAt & { id: string };

const findDeliverable = prepared((bind: Placeholders<{ tokenHash: string; id: string }>) => {
  const ofToken = (organizationId: SQLiteColumn) => eq(organizationId, apiTokens.organization_id);
  return rowOf(
    build
      .select({
        id: deliverables.id,
        title: deliverables.title,
        versionNumber: named(deliverables.version_number, "versionNumber"),
        shareUrl: named(deliverables.share_url, "shareUrl"),
        isOnAllowedOrigin: standsOnAllowedOrigin.as("isOnAllowedOrigin"),
        currentState: named(deliverables.current_state, "currentState"),
        isSample: named(deliverables.is_sample, "isSample"),
        clientIsSample: named(clients.is_sample, "clientIsSample"),
        clientEmail: named(clients.email, "clientEmail"),
        clientName: sql<string>`coalesce(${clients.client_name}, ${clients.name})`.as("clientName"),
        projectName: nullable(projects.name, "projectName"),
        senderName: sql<string>`coalesce(${members.name}, ${members.email})`.as("senderName"),
        senderEmail: named(members.email, "senderEmail"),
        accent: accentOf(deliverables.organization_id).as("accent"),
      })
      .from(apiTokens)
      .innerJoin(members, eq(members.id, apiTokens.created_by))
      .innerJoin(deliverables, and(eq(deliverables.id, bind.id), ofToken(deliverables.organization_id)))
      .innerJoin(clients, eq(clients.id, deliverables.client_id))
      .leftJoin(projects, eq(projects.id, deliverables.project_id))
      .where(grantedBy(bind.tokenHash, "deliverable:send")),
  );
});

export const findSendable = (tokenHash: string, id: string): Query<SendableDeliverable | null> =>
  mapped(findDeliverable({ tokenHash, id }), (found) => {
    if (found === null) return null;
    const { currentState, clientIsSample, ...rest } = found;
    return {
      ...rest,
      isSignedOff: currentState === "signed_off",
      isSample: rest.isSample || clientIsSample,
    };
  });

/** The review that the mail asks for, or the refusal. */
export function reviewToAsk(
  deliverable: SendableDeliverable | null,
  organizationName: string,
  message: string | undefined,
): SendableReview | Refusal {
  if (!deliverable) return refuse("not_found");
  const { isSignedOff, isSample, clientEmail, ...rest } = deliverable;
  if (isSignedOff) return refuse("deliverable_signed_off");
  if (isSample) return refuse("sample_data_never_emailed");
  if (!clientEmail) return refuse("client_email_missing");
  return { ...rest, clientEmail, organizationName, message: message || null };
}

/**
 * Mails the client and records the mail. From the moment the mail is out, the send has succeeded. If the database does
 * not take the record, a queue keeps it and retries until it does (queues/send-records.ts).
 */
export async function sendDeliverable(
  { services, actor }: Context<TokenActor, "db" | "sendRecords" | "rememberSent" | keyof Mailer>,
  review: SendableReview,
  entry: NewEntry,
): Promise<Recorded<Send> | Refusal> {
  const { id: deliverableId, versionNumber, message } = review;
  const { organizationId, key, fingerprint } = entry;
  const refusal = await mailReview(services, review, entry);
  if (refusal) return refusal;
  const sentAt = new Date().toISOString();
  const mail = {
    id: newId(),
    organizationId,
    key,
    actorId: actor.id,
    deliverableId,
    versionNumber,
    message,
    sentAt,
  };
  const answeredWarning = statusWarnings.recordedLater;
  const answer: Send = {
    ok: true,
    status_warning: answeredWarning,
    id: deliverableId,
    version_number: versionNumber,
    sent_at: sentAt,
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
 * Sends one mail with its personal link. Its entry and its link are kept and it is counted before it leaves; a mail
 * that does not go out takes them back. Answers a refusal if it did not go out.
 */
async function mailReview(
  services: Pick<Services, "db" | keyof Mailer>,
  review: SendableReview,
  entry: NewEntry,
): Promise<Refusal | undefined> {
  const { db, applicationUrl } = services;
  const { id, shareUrl, clientEmail } = review;
  const { organizationId } = entry;
  const mailing = { organizationId, deliverableId: id, shareUrl, clientEmail };
  let link: string | null;
  try {
    const { dropExpired, begin } = beginMail(entry, claimLimits.leaseSeconds);
    link = await mailedLink(db, linkBase(applicationUrl, review), mailing, { dropExpired, begin });
  } catch (error) {
    const refusal = tooManyMails(error, Date.now());
    if (refusal) return refusal;
    throw error;
  }
  if (link === null) {
    report({ mailing: id }, "its client or its state changed since it was read");
    return refuse("email_send_failed");
  }
  try {
    await sendMail(services, reviewMail({ ...review, link }));
  } catch (error) {
    report({ mailing: id }, error);
    const undone = batch(db, [cancelMail(entry), uncountMail(organizationId, clientEmail)]);
    await undone.catch((lost) => report({ counting: id }, lost));
    return refuse("email_send_failed");
  }
  return undefined;
}
