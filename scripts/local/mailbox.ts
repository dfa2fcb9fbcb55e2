const mailbox = "/cdn-cgi/local/explorer/api/local/email/sending";

export interface LocalMail {
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
}

export async function sentMails(baseUrl: string): Promise<{ messageId: string; subject: string }[]> {
  const { result } = (await (await fetch(`${baseUrl}${mailbox}?per_page=100`)).json()) as { result: never };
  return result;
}

export async function readMail(baseUrl: string, messageId: string): Promise<LocalMail> {
  const address = `${baseUrl}${mailbox}?email_id=${encodeURIComponent(messageId)}`;
  const { result } = (await (await fetch(address)).json()) as { result: never };
  return result;
}

/** The personal link in a review e-mail. */
export const linkIn = ({ text }: LocalMail): string => {
  const link = /^https?:\S+\/review\/\S+$/m.exec(text)?.[0];
  if (!link) throw new Error(`The mail carries no link:\n${text}`);
  return link;
};
