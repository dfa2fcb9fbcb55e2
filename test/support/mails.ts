import { env } from "cloudflare:workers";
import { vi } from "vitest";

const { send } = env.EMAIL;

export interface SentMail {
  from: { name: string; email: string };
  to: string;
  replyTo: string;
  subject: string;
  text: string;
  html: string;
  attachments?: { contentId: string; disposition: string; type: string; content: ArrayBuffer }[];
}

/** Collects the e-mails sent until the test ends, and also passes them to the binding. */
export function watchMails(): SentMail[] {
  const mails: SentMail[] = [];
  vi.spyOn(env.EMAIL, "send").mockImplementation(async (mail: EmailMessage | EmailMessageBuilder) => {
    mails.push(Object.assign({} as SentMail, mail));
    return send(mail as EmailMessageBuilder);
  });
  return mails;
}

/** The URL on a line of its own. */
export const addressIn = ({ text }: SentMail): string => /^https:\S+$/m.exec(text)?.[0] ?? "";
