import { Refusal } from "../../contract/refusal.ts";
import { recordPath } from "../../http/list-route.ts";
import { placeholders } from "../../http/placeholders.ts";
import { write } from "../../http/write.ts";
import { exampleDeliverable } from "../../review/deliverables/record.ts";
import { dryRunSend, linkPlaceholder } from "../../review/sends/dry-run-send.ts";
import { DryRunSend, NewSend, Send } from "../../review/sends/record.ts";
import { readSend } from "../../review/sends/record-send.ts";
import { reviewMail } from "../../review/sends/review-mail.ts";
import { findSendable, requireSendable, sendDeliverable } from "../../review/sends/send-deliverable.ts";

const example: Send = {
  ok: true,
  status_warning: null,
  id: "3c6e0b8a-9c15-4b7d-8f4e-5d2a1b0c9e87",
  version_number: 2,
  sent_at: "2026-01-31T09:30:00.000Z",
  reminder_due_at: "2026-02-07T09:30:00.000Z",
};

const message = "Here is the larger headline.";

const mail = reviewMail({
  organizationName: "Studio Meridian",
  accent: null,
  senderName: "Ada Meridian",
  senderEmail: "ada@meridian.example",
  clientName: "Mara Lindqvist",
  clientEmail: "m•••@n•••.example",
  title: exampleDeliverable.title,
  projectName: "Website relaunch",
  versionNumber: example.version_number,
  imagePath: null,
  link: `${exampleDeliverable.share_url}/${linkPlaceholder}`,
  message,
});

export const postDeliverableSend = write({
  path: "/api-v1/deliverables/{id}/send",
  operationId: "sendDeliverable",
  tag: "Deliverables",
  summary: "E-mail the client a link to review the newest version",
  description:
    "The Idempotency-Key is recorded before the e-mail is sent, and is bound to one version. To send a later " +
    "version, use a new key. A 200 with a `status_warning` is a success: the e-mail was sent, so do not send " +
    "it again. If the client does not respond, we remind them after `remind_after_days`, up to three times. " +
    "Fires `deliverable.sent` and, for each reminder, `deliverable.reminded`.",
  scope: "deliverable:send",
  params: recordPath(example.id),
  body: NewSend,
  status: 200,
  answer: Send,
  dryRunAnswer: DryRunSend,
  answerDescription: "The sent e-mail",
  examples: {
    body: { message },
    answer: example,
    dryRun: {
      ...example,
      mail: { to: mail.to, subject: mail.subject, text: mail.write(placeholders.serviceName).text },
    },
  },
  failures: [
    "not_found",
    "deliverable_signed_off",
    "sample_data_never_emailed",
    "client_email_missing",
    "mails_to_address",
    "mails_of_workspace",
    "email_send_failed",
  ],
  action: "deliverable.sent",
  load: ({ tokenHash, params }) => findSendable(tokenHash, params.id),
  identifiedBy: (deliverable) => deliverable?.versionNumber,
  decide(context, { body, isDry, entry }, deliverable) {
    const review = requireSendable(deliverable, context.organization.name, body);
    if (review instanceof Refusal) return review;
    const sent = entry(review.id, { version_number: review.versionNumber });
    return () => (isDry ? dryRunSend : sendDeliverable)(context, review, sent);
  },
  recall: (organizationId, { subjectId, details }) =>
    readSend(organizationId, subjectId, Number(details.version_number)),
});
