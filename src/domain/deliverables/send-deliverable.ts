import { type Refusal, refuse } from "../../contract/failures.ts";
import type { Send } from "../../contract/resources/send.ts";
import type { Query } from "../../db/query.ts";
import { derivedUuid } from "../../platform/digest.ts";
import { sendMail } from "../../platform/mail.ts";
import { report } from "../../platform/report.ts";
import type { Authorship } from "../authorship.ts";
import type { Recalled } from "../recall.ts";
import { Unrecorded } from "../unrecorded.ts";
import { recordSend, statusWarnings, toSend } from "./record-send.ts";
import { type Review, reviewMail } from "./review-mail.ts";

/** What a send needs to know, and the record of an earlier attempt with the same key. */
export interface Sendable {
  deliverable:
    | (Omit<Review, "organizationName" | "message" | "clientEmail"> & {
        id: string;
        clientEmail: string | null;
        isSignedOff: boolean;
        isSample: boolean;
      })
    | null;
  earlier: Recalled | null;
}

/** A deliverable belongs to one organization, so its id says enough: a retry knows its record before anything else. */
export const sendId = (deliverableId: string, key: string): string => derivedUuid("send", deliverableId, key);

const sendableSql = `
SELECT d.id, d.title, d.version_number, d.share_url, d.current_state = 'signed_off' AS signed_off,
  d.is_sample OR c.is_sample AS sample, c.email AS client_email, coalesce(c.client_name, c.name) AS client_name,
  p.name AS project_name, coalesce(m.name, m.email) AS sender_name, m.email AS sender_email,
  s.id AS send_id, s.deliverable_id, s.version_number AS sent_version_number, s.status_warning, s.sent_at, s.request_fingerprint
FROM api_tokens t
JOIN members m ON m.id = t.created_by
JOIN deliverables d ON d.id = ?2 AND d.organization_id = t.organization_id
JOIN clients c ON c.id = d.client_id
LEFT JOIN projects p ON p.id = d.project_id
LEFT JOIN deliverable_sends s ON s.id = ?3 AND s.organization_id = t.organization_id
WHERE t.token_hash = ?1`;

export const findSendable = (tokenHash: string, deliverableId: string, key: string): Query<Sendable> => ({
  sql: sendableSql,
  params: [tokenHash, deliverableId, sendId(deliverableId, key)],
  read: ([row]) => {
    if (!row) return { deliverable: null, earlier: null };
    return {
      deliverable: {
        id: row.id,
        title: row.title,
        versionNumber: row.version_number,
        shareUrl: row.share_url,
        projectName: row.project_name,
        clientName: row.client_name,
        clientEmail: row.client_email,
        senderName: row.sender_name,
        senderEmail: row.sender_email,
        isSignedOff: row.signed_off === 1,
        isSample: row.sample === 1,
      },
      earlier: row.send_id && {
        fingerprint: row.request_fingerprint,
        answer: toSend({ ...row, version_number: row.sent_version_number }),
      },
    };
  },
});

/** The review that may be asked for, or why it may not. */
export function reviewToAsk(
  { deliverable }: Sendable,
  organizationName: string,
  message: string | undefined,
): (Review & { id: string }) | Refusal {
  if (!deliverable) return refuse("not_found");
  const { isSignedOff, isSample, clientEmail, ...rest } = deliverable;
  if (isSignedOff) return refuse("deliverable_signed_off");
  if (isSample) return refuse("sample_data_never_emailed");
  if (!clientEmail) return refuse("client_email_missing");
  return { ...rest, clientEmail, organizationName, message: message || null };
}

/** Mails the client and records it. From the moment the mail is out the send has succeeded, recorded or not. */
export async function sendDeliverable(
  services: { db: D1Database; email: SendEmail; mailFrom: string },
  authorship: Authorship,
  review: Review & { id: string },
): Promise<Send | Unrecorded | Refusal> {
  const { id, versionNumber, message } = review;
  try {
    await sendMail(services.email, services.mailFrom, reviewMail(review));
  } catch (error) {
    report({ mailing: id }, error);
    return refuse("email_send_failed");
  }
  const mail = { deliverableId: id, versionNumber, message, sentAt: new Date().toISOString() };
  try {
    return await recordSend(services.db, authorship, mail);
  } catch (error) {
    report({ recording: id }, error);
    const status_warning = statusWarnings.recordedLater;
    return new Unrecorded({
      ok: true,
      status_warning,
      id,
      version_number: versionNumber,
      sent_at: mail.sentAt,
    });
  }
}
