import { env } from "cloudflare:workers";
import { vi } from "vitest";

const { send } = env.EMAIL;

/** A mail as the service hands it to the binding. */
export interface SentMail {
  from: { name: string; email: string };
  to: string;
  replyTo: string;
  subject: string;
  text: string;
  html: string;
}

/** Watches the mails that go out; the binding really takes them. It ends with the test. */
export function watchMails(): SentMail[] {
  const mails: SentMail[] = [];
  vi.spyOn(env.EMAIL, "send").mockImplementation(async (mail: EmailMessage | EmailMessageBuilder) => {
    mails.push(Object.assign({} as SentMail, mail));
    return send(mail as EmailMessageBuilder);
  });
  return mails;
}

/** The one address that stands alone in a line of the mail. */
export const addressIn = ({ text }: SentMail): string => /^https:\S+$/m.exec(text)?.[0] ?? "";
