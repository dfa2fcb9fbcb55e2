import { toOneLine } from "../contract/characters.ts";
import { withTimeout } from "./timeout.ts";

/** An e-mail that takes longer counts as not sent. Sending it and recording it must end before the claim's lease. */
const timeLimitMs = 10_000;

export interface Mail {
  /** The workspace that the e-mail is sent for. null: the service itself. */
  fromName: string | null;
  to: string;
  /** The address for replies. Without it, replies are lost. */
  replyTo?: string;
  subject: string;
  /** The image to show. Without it, or if the thumbnail cannot be created, the e-mail has no picture. */
  imagePath?: string;
  /** Writes the text and HTML, which name the service. `hasPicture`: the picture is attached. */
  write(serviceName: string, hasPicture?: boolean): { text: string; html: string };
}

/** The `cid:` of the attached picture (RFC 2392). */
export const pictureId = "work";

/** Finds or creates an image's thumbnail (JPEG); null if that fails. */
export type VersionPicture = (imagePath: string, size: "mail" | "preview") => Promise<ArrayBuffer | null>;

/** Built from the bindings (services.ts). */
export interface Mailer {
  email: SendEmail;
  /** For sign-in links and codes, which people need to get in. */
  signInEmail: SendEmail;
  /** Null if the binding for creating pictures is missing. */
  versionPicture: VersionPicture | null;
  /** The service's own name and address. */
  mailFrom: { name: string; email: string };
  /** The base URL for links in e-mails, without a trailing slash. Never taken from a request's host. */
  applicationUrl: string;
}

const picture = {
  disposition: "inline",
  contentId: pictureId,
  filename: "work.jpg",
  type: "image/jpeg",
} as const;

/** Returns a name that no mail client turns into an address. */
const senderName = (name: string): string =>
  toOneLine(name.replaceAll(/[<>"]/g, "").replaceAll("@", " ")) || "Workspace";

/** Returns a subject that no mail client decodes into something else (RFC 2047) or shows as a link. */
const subjectLine = (subject: string): string =>
  toOneLine(subject).replaceAll("=?", "= ?").replaceAll("://", ": //");

const addresses = /[^\s<>"',;:()]+@[^\s<>"',;:()]+/g;

/** Removes e-mail addresses. A mail server's message may contain one, which must not end up in the log or a record. */
export const withoutAddresses = (text: string): string => text.replaceAll(addresses, "[address]");

/** Removes the angle brackets with which an e-mail's id may arrive. */
export const bareMessageId = (id: string): string => id.trim().replace(/^<\s*|\s*>$/g, "");

/**
 * Sends an e-mail and returns its message id, which is also in the mail service's events (queues/email-events.ts).
 * Rejects if the e-mail is refused or times out; the reason never contains an address.
 */
export async function sendMail(
  {
    email,
    mailFrom,
    versionPicture,
  }: Pick<Mailer, "email" | "mailFrom"> & Partial<Pick<Mailer, "versionPicture">>,
  mail: Mail,
): Promise<string> {
  const { fromName, subject, imagePath, write, ...rest } = mail;
  const { name, email: address } = mailFrom;
  const content = imagePath === undefined ? null : ((await versionPicture?.(imagePath, "mail")) ?? null);
  const sending = email.send({
    ...rest,
    ...write(name, content !== null),
    ...(content && { attachments: [{ ...picture, content }] }),
    from: { name: fromName === null ? name : `${senderName(fromName)} via ${name}`, email: address },
    subject: subjectLine(subject),
  });
  const sent = await withTimeout(timeLimitMs, sending).catch((error) => {
    throw new Error(withoutAddresses(error instanceof Error ? error.message : String(error)));
  });
  // An e-mail without an id was accepted too and must not be sent again. No event will match this id.
  return bareMessageId(sent?.messageId ?? crypto.randomUUID());
}
