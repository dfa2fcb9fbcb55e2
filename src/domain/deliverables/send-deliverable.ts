import { and, eq, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Refusal, refuse } from "../../contract/failures.ts";
import type { Send } from "../../contract/resources/send.ts";
import { build, named, nullable, type Placeholders, prepared, rowOf } from "../../db/build.ts";
import { grantedBy } from "../../db/organization.ts";
import { mapped, type Query, run } from "../../db/query.ts";
import type { Existing } from "../../db/resource.ts";
import { deliverables, deliverableSends as sends } from "../../db/schema/review.ts";
import { clients, projects } from "../../db/schema/work.ts";
import { apiTokens, members } from "../../db/schema/workspace.ts";
import { derivedUuid } from "../../platform/digest.ts";
import { report } from "../../platform/log.ts";
import { type Mailer, sendMail } from "../../platform/mail.ts";
import type { Authorship } from "../authorship.ts";
import { tooManyMails, uncountMail } from "../mails.ts";
import { mailedLink } from "../review/keep-mailed-key.ts";
import { linkBase, standsOnAllowedOrigin } from "../review/share-url.ts";
import { recordSend, type SendRecord, statusWarnings } from "./record-send.ts";
import { type ReviewRequest, reviewMail } from "./review-mail.ts";

/** What a send needs to know, and the record of an earlier attempt with the same key. */
interface Sendable {
  deliverable: SendableDeliverable | null;
  existing: Existing | null;
}

/** The share URL, and whether the links of mails may stand on its origin. */
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
type SendableReview = Omit<ReviewRequest, "link"> & SharedAt & { id: string };

/**
 * Derives a send's id from the deliverable, which belongs to one organization, and the key. So a retry finds its record
 * before anything else happens.
 */
export const sendId = (deliverableId: string, key: string): string => derivedUuid("send", deliverableId, key);

/** Raw SQL. The record is read as one text, because a join cannot tell a missing row from a row of NULLs. */
const sentJson = sql<string | null>`iif(${sends.id} IS NULL, NULL, json_object('ok', json('true'),
  'status_warning', ${sends.status_warning}, 'id', ${sends.deliverable_id}, 'version_number', ${sends.version_number},
  'sent_at', ${sends.sent_at}))`;

const findDeliverable = prepared((bind: Placeholders<{ tokenHash: string; id: string; sendId: string }>) => {
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
        sent: sentJson.as("sent"),
        fingerprint: nullable(sends.request_fingerprint, "fingerprint"),
      })
      .from(apiTokens)
      .innerJoin(members, eq(members.id, apiTokens.created_by))
      .innerJoin(deliverables, and(eq(deliverables.id, bind.id), ofToken(deliverables.organization_id)))
      .innerJoin(clients, eq(clients.id, deliverables.client_id))
      .leftJoin(projects, eq(projects.id, deliverables.project_id))
      .leftJoin(sends, and(eq(sends.id, bind.sendId), ofToken(sends.organization_id)))
      .where(grantedBy(bind.tokenHash, "deliverable:send")),
  );
});

export const findSendable = (tokenHash: string, deliverableId: string, key: string): Query<Sendable> =>
  mapped(findDeliverable({ tokenHash, id: deliverableId, sendId: sendId(deliverableId, key) }), (found) => {
    if (found === null) return { deliverable: null, existing: null };
    const { currentState, clientIsSample, sent, fingerprint, ...rest } = found;
    return {
      deliverable: {
        ...rest,
        isSignedOff: currentState === "signed_off",
        isSample: rest.isSample || clientIsSample,
      },
      existing: sent === null ? null : { fingerprint, answer: JSON.parse(sent) },
    };
  });

/** The review that the mail asks for, or the refusal. */
export function reviewToAsk(
  { deliverable }: Sendable,
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

/** What a send uses; `sendRecords` takes the record of a mail that the database did not take. */
interface SendServices extends Mailer {
  db: D1Database;
  sendRecords: Pick<Queue<SendRecord>, "send">;
}

/**
 * Mails the client and records the mail. From the moment the mail is out, the send has succeeded. If the database does
 * not take the record, a queue keeps it and retries until it does (queues/send-records.ts).
 */
export async function sendDeliverable(
  services: SendServices,
  authorship: Authorship,
  review: SendableReview,
): Promise<Send | Refusal> {
  const { id, versionNumber, message } = review;
  const { organizationId } = authorship;
  const refusal = await mailReview(services, organizationId, review);
  if (refusal) return refusal;
  const sentAt = new Date().toISOString();
  const mail = { ...authorship, deliverableId: id, versionNumber, message, sentAt };
  const answeredWarning = statusWarnings.recordedLater;
  try {
    const send = await recordSend(services.db, { ...mail, answeredWarning: null });
    if (send !== null) return send;
  } catch (error) {
    report({ recording: id }, error);
    await services.sendRecords
      .send({ ...mail, answeredWarning })
      .catch((lost) => report({ unrecorded: id }, lost));
  }
  return { ok: true, status_warning: answeredWarning, id, version_number: versionNumber, sent_at: sentAt };
}

/** Sends one mail with its personal link, which is counted before it leaves. Answers a refusal if it did not go out. */
async function mailReview(
  services: SendServices,
  organizationId: string,
  review: SendableReview,
): Promise<Refusal | undefined> {
  const { db, applicationUrl } = services;
  const { id, shareUrl, clientEmail } = review;
  const mailing = { organizationId, deliverableId: id, shareUrl, clientEmail };
  let link: string | null;
  try {
    link = await mailedLink(db, linkBase(applicationUrl, review), mailing);
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
    await run(db, uncountMail(organizationId, clientEmail)).catch((lost) => report({ counting: id }, lost));
    return refuse("email_send_failed");
  }
  return undefined;
}
