import { composeMail, type MailContent } from "../../core/mails/compose-mail.ts";
import type { Mail } from "../../platform/mail.ts";

/** The version that a client is asked to review. */
export interface SentVersion {
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
  /** A personal link, which proves access to the client's mailbox. */
  link: string;
}

export interface ReviewRequest extends SentVersion {
  message: string | null;
}

export const linkIsPersonal =
  "The link is personal: it lets you sign off the work in your name, so please don't forward this e-mail.";

export const versionText = ({ versionNumber, projectName }: SentVersion): string =>
  `Version ${versionNumber}${projectName === null ? "" : ` · ${projectName}`}`;

interface OwnContent extends Pick<MailContent, "preheader" | "heading" | "parts" | "notes" | "link"> {
  subject: string;
  /** The text of the button that opens the review. */
  button: string;
}

/** Composes an e-mail that asks a client to review a version. */
export function mailToClient(sent: SentVersion, { subject, button, notes = [], ...own }: OwnContent): Mail {
  const { organizationName, accent, senderName, senderEmail, clientEmail, link } = sent;
  return {
    fromName: organizationName,
    to: clientEmail,
    replyTo: senderEmail,
    ...composeMail(subject, {
      ...own,
      from: organizationName,
      accent,
      picture: sent,
      button: { text: button, url: link },
      notes: [`${versionText(sent)}. ${linkIsPersonal}`, ...notes],
      reason:
        `You received this e-mail at ${clientEmail} because ${senderName} (${senderEmail}) of ${organizationName} ` +
        "shares work with you. If you did not expect it, just reply.",
    }),
  };
}

/** Composes the e-mail for the first version or a new one. */
export function reviewMail(request: ReviewRequest): Mail {
  const { organizationName, senderName, clientName, message, title, versionNumber } = request;
  const isNew = versionNumber > 1;
  return mailToClient(request, {
    subject: isNew ? `New version ${versionNumber}: ${title}` : `${title} is ready for your review`,
    preheader: message || `${senderName} asks for your opinion. ${versionText(request)}`,
    heading: isNew ? `Version ${versionNumber} of ${title}` : `${title} is ready for you`,
    parts: [
      {
        paragraph: isNew
          ? `Hello ${clientName}, ${senderName} of ${organizationName} has a new version for your review.`
          : `Hello ${clientName}, ${senderName} of ${organizationName} would like your opinion.`,
      },
      ...(message ? [{ quote: message, by: senderName }] : []),
    ],
    button: isNew ? `See version ${versionNumber}` : "Open the review",
  });
}
