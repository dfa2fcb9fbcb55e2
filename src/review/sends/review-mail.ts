import { composeMail } from "../../core/mails/compose-mail.ts";
import type { Mail } from "../../platform/mail.ts";

/** A review e-mail's content. */
export interface ReviewRequest {
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
  message: string | null;
}

/** Composes the e-mail that asks a client to review the first version or a new one. */
export function reviewMail(request: ReviewRequest): Mail {
  const { organizationName, senderName, senderEmail, clientName, clientEmail, message, link } = request;
  const { title, projectName, versionNumber } = request;
  const isNew = versionNumber > 1;
  const version = `Version ${versionNumber}${projectName === null ? "" : ` · ${projectName}`}`;
  return {
    fromName: organizationName,
    to: clientEmail,
    replyTo: senderEmail,
    ...composeMail(isNew ? `New version ${versionNumber}: ${title}` : `${title} is ready for your review`, {
      from: organizationName,
      accent: request.accent,
      preheader: message || `${senderName} asks for your opinion. ${version}`,
      heading: isNew ? `Version ${versionNumber} of ${title}` : `${title} is ready for you`,
      parts: [
        {
          paragraph: isNew
            ? `Hello ${clientName}, ${senderName} of ${organizationName} has a new version for your review.`
            : `Hello ${clientName}, ${senderName} of ${organizationName} would like your opinion.`,
        },
        ...(message ? [{ quote: message, by: senderName }] : []),
      ],
      picture: request,
      button: { text: isNew ? `See version ${versionNumber}` : "Open the review", url: link },
      notes: [
        `${version}. The link is personal: it lets you sign off the work in your name, so please don't forward ` +
          "this e-mail.",
      ],
      reason:
        `You received this e-mail at ${clientEmail} because ${senderName} (${senderEmail}) of ${organizationName} ` +
        "shares work with you. If you did not expect it, just reply.",
    }),
  };
}
