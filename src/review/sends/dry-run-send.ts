import { claimLimits } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import type { Context } from "../../core/context.ts";
import { beginMail, type NewEntry, type Recorded } from "../../core/ledger/ledger.ts";
import { tooManyMails } from "../../core/mails/mails.ts";
import { runLast } from "../../db/query.ts";
import { newId } from "../../platform/new-id.ts";
import { newSecret } from "../../platform/secret.ts";
import type { TokenActor } from "../../workspace/tokens/principal.ts";
import { saveMailedKey } from "../access/save-mailed-key.ts";
import { linkBase, personalLink } from "../access/share-url.ts";
import { maskedAddress } from "../visits/review.ts";
import type { DryRunSend } from "./record.ts";
import { recordingSend } from "./record-send.ts";
import { reviewMail } from "./review-mail.ts";
import type { SendableReview } from "./send-deliverable.ts";

/** Stands in for the key in the personal link. */
export const linkPlaceholder = "PERSONAL-LINK";

/** Runs a send's statements in a dry-run database, and returns the e-mail instead of sending it. */
export async function dryRunSend(
  { services, actor }: Context<TokenActor, "db" | "applicationUrl" | "mailFrom">,
  review: SendableReview,
  entry: NewEntry,
): Promise<Recorded<DryRunSend> | Refusal> {
  const { db, applicationUrl, mailFrom } = services;
  const { id: deliverableId, versionNumber, shareUrl, clientEmail, message } = review;
  const { organizationId, key } = entry;
  const { dropExpired, begin } = beginMail(entry, claimLimits.leaseSeconds);
  const record = recordingSend({
    id: newId(),
    organizationId,
    key,
    actorId: actor.id,
    deliverableId,
    versionNumber,
    message,
    sentAt: new Date().toISOString(),
    answeredWarning: null,
    remindAfterDays: review.remindAfterDays,
    reminder: null,
    messageId: null,
  });
  const mailing = { organizationId, deliverableId, shareUrl, clientEmail };
  try {
    const send = await runLast(db, [dropExpired, saveMailedKey(mailing, newSecret()), begin, ...record]);
    if (!send) return refuse("email_send_failed");
    const link = personalLink(linkBase(applicationUrl, review), shareUrl, linkPlaceholder);
    const { to, subject, write } = reviewMail({ ...review, clientEmail: maskedAddress(clientEmail), link });
    const { text } = write(mailFrom.name);
    return { answer: { ...send, mail: { to, subject, text } }, hasDueDeliveries: false };
  } catch (error) {
    const refusal = tooManyMails(error, Date.now());
    if (refusal) return refusal;
    throw error;
  }
}
