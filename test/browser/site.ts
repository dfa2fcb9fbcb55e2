import { type LocalMail, readMail, sentMails } from "../../scripts/local/mailbox.ts";
import { type OpenService, openService } from "../operations/open-service.ts";

export interface Site extends Pick<OpenService, "admin"> {
  baseUrl: string;
  found(name: string, scopes: string): Promise<{ organization: string; token: string }>;
  post(token: string, path: string, body: object): Promise<Record<string, string>>;
  /** Waits for an e-mail with these words in its subject, and returns the newest one. */
  mail(words: string): Promise<LocalMail>;
}

const mailWithinMs = 20_000;
const pollMs = 100;

export async function openSite(): Promise<Site> {
  const { server, admin } = await openService();
  const { base_url: baseUrl, apikey } = server;
  return {
    baseUrl,
    admin,
    async found(name, scopes) {
      const slug = name.toLowerCase().replaceAll(/\W+/g, "-");
      const owner_email = `owner@${slug}.example`;
      const { id = "" } = await admin("create-organization", { name, slug, plan: "agency", owner_email });
      const { token = "" } = await admin("create-api-token", { organization: id, name: "browser", scopes });
      return { organization: id, token };
    },
    async post(token, path, body) {
      const response = await fetch(baseUrl + path, {
        method: "POST",
        headers: {
          apikey,
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "idempotency-key": crypto.randomUUID(),
        },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as Record<string, string>;
      if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
      return answer;
    },
    async mail(words) {
      for (const until = Date.now() + mailWithinMs; Date.now() < until; ) {
        const found = (await sentMails(baseUrl)).find(({ subject }) => subject.includes(words));
        if (found) return readMail(baseUrl, found.messageId);
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
      throw new Error(`no mail says: ${words}`);
    },
  };
}
