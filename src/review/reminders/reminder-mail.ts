import { composeMail, dayText } from "../../core/mails/compose-mail.ts";
import type { Mail } from "../../platform/mail.ts";

interface Reminder {
  organizationName: string;
  /** The workspace's color, `#rrggbb`; null without one. */
  accent: string | null;
  senderName: string;
  senderEmail: string;
  clientName: string;
  clientEmail: string;
  title: string;
  projectName: string | null;
  versionNumber: number;
  /** Null for an e-mail without a picture. */
  imagePath: string | null;
  sentAt: string;
  isLast: boolean;
  /** A personal link, which proves access to the client's mailbox. */
  link: string;
}

/**
 * Returns the URL of the page where the client stops reminders. Its path starts with the personal link, because only
 * the client may stop them.
 */
const stopLink = (link: string): string => `${link}/reminders`;

export function reminderMail(reminder: Reminder): Mail {
  const { organizationName, senderName, senderEmail, clientName, clientEmail, title, link } = reminder;
  const { projectName, versionNumber, sentAt, isLast } = reminder;
  const version = `Version ${versionNumber}${projectName === null ? "" : ` · ${projectName}`}`;
  return {
    fromName: organizationName,
    to: clientEmail,
    replyTo: senderEmail,
    ...composeMail(`Reminder: ${title} is waiting for your review`, {
      from: organizationName,
      accent: reminder.accent,
      preheader: `${senderName} sent it on ${dayText(sentAt)}. ${version}`,
      heading: `${title} is waiting for your review`,
      parts: [
        {
          paragraph:
            `Hello ${clientName}, ${senderName} of ${organizationName} sent you this work on ${dayText(sentAt)} ` +
            "and would like your opinion.",
        },
      ],
      picture: reminder,
      button: { text: "Open the review", url: link },
      notes: [
        `${version}. The link is personal: it lets you sign off the work in your name, so please don't forward ` +
          "this e-mail.",
        isLast
          ? "This is the last reminder."
          : "Reminders stop as soon as you comment, ask for changes or sign off.",
      ],
      link: { text: "Stop reminders", url: stopLink(link) },
      reason:
        `You received this e-mail at ${clientEmail} because ${senderName} (${senderEmail}) of ${organizationName} ` +
        "shares work with you. If you did not expect it, just reply.",
    }),
  };
}
