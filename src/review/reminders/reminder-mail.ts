import { dayText } from "../../core/mails/compose-mail.ts";
import type { Mail } from "../../platform/mail.ts";
import { mailToClient, type SentVersion, versionText } from "../sends/review-mail.ts";

interface Reminder extends SentVersion {
  sentAt: string;
  isLast: boolean;
}

/**
 * Returns the URL of the page where the client stops reminders. Its path starts with the personal link, because only
 * the client may stop them.
 */
const stopLink = (link: string): string => `${link}/reminders`;

export function reminderMail(reminder: Reminder): Mail {
  const { organizationName, senderName, clientName, title, link, sentAt, isLast } = reminder;
  return mailToClient(reminder, {
    subject: `Reminder: ${title} is waiting for your review`,
    preheader: `${senderName} sent it on ${dayText(sentAt)}. ${versionText(reminder)}`,
    heading: `${title} is waiting for your review`,
    parts: [
      {
        paragraph:
          `Hello ${clientName}, ${senderName} of ${organizationName} sent you this work on ${dayText(sentAt)} ` +
          "and would like your opinion.",
      },
    ],
    button: "Open the review",
    notes: [
      isLast
        ? "This is the last reminder."
        : "Reminders stop as soon as you comment, ask for changes or sign off.",
    ],
    link: { text: "Stop reminders", url: stopLink(link) },
  });
}
