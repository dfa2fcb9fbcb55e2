import { env } from "cloudflare:workers";
import { vi } from "vitest";

const { send } = env.EMAIL;

/** An e-mail as the service passes it to the binding. */
export interface SentMail {
  from: { name: string; email: string };
  to: string;
  replyTo: string;
  subject: string;
  text: string;
  html: string;
  attachments?: { contentId: string; disposition: string; type: string; content: ArrayBuffer }[];
}

/** Collects sent e-mails until the test ends. They are still passed to the binding. */
export function watchMails(): SentMail[] {
  const mails: SentMail[] = [];
  vi.spyOn(env.EMAIL, "send").mockImplementation(async (mail: EmailMessage | EmailMessageBuilder) => {
    mails.push(Object.assign({} as SentMail, mail));
    return send(mail as EmailMessageBuilder);
  });
  return mails;
}

/** The URL that has a line of the e-mail to itself. */
export const addressIn = ({ text }: SentMail): string => /^https:\S+$/m.exec(text)?.[0] ?? "";
