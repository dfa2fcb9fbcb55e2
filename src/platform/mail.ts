import { oneLine } from "../contract/characters.ts";
import { withTimeout } from "./timeout.ts";

/** A mail that takes longer counts as not sent. The mail and its recording end before the claim's lease does. */
const timeLimitMs = 10_000;

export interface Mail {
  /** Shown as the sender, beside the service's own address. */
  fromName: string;
  to: string;
  /** The address that replies go to; without it, replies are lost. */
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
}

/** What mails are sent with; the composition root makes it from the bindings. */
export interface Mailer {
  email: SendEmail;
  /** For mails without which no one gets in: sign-in links and codes. */
  openingEmail: SendEmail;
  /** The service's own address. */
  mailFrom: string;
  /** What the links in mails begin with, no slash at its end. It is never what a request says its host is. */
  applicationUrl: string;
}

/** A name, of which no mail program makes an address. */
const senderName = (name: string): string =>
  oneLine(name.replaceAll(/[<>"]/g, "").replaceAll("@", " ")) || "Workspace";

/** A subject that no mail program decodes into another text (RFC 2047), or shows as a link. */
const subjectLine = (subject: string): string =>
  oneLine(subject).replaceAll("=?", "= ?").replaceAll("://", ": //");

/** The reason of a refused mail may name the mail's address, and the log must not. */
const addresses = /[^\s<>"',;:()]+@[^\s<>"',;:()]+/g;

/** Sends a mail; rejects when it was not accepted, or not in time, with a reason that names no address. */
export async function sendMail(
  { email, mailFrom }: Pick<Mailer, "email" | "mailFrom">,
  mail: Mail,
): Promise<void> {
  const { fromName, subject, ...rest } = mail;
  const sending = email.send({
    ...rest,
    from: { name: senderName(fromName), email: mailFrom },
    subject: subjectLine(subject),
  });
  await withTimeout(timeLimitMs, sending).catch((error) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(reason.replaceAll(addresses, "[address]"));
  });
}
