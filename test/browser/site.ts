/** The whole service for tests in a browser: the Worker as it is bundled, on local bindings of its own, in a process of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localGatewayKey } from "../../scripts/local/gateway-key.ts";
import { type LocalMail, readMail, sentMails } from "../../scripts/local/mailbox.ts";
import { migrate } from "../faults/migrate.ts";
import { bundleInto, type Service, startService } from "../faults/service.ts";

export interface Site extends Service {
  /** Founds a workspace and answers a token with these scopes. */
  found(name: string, scopes: string): Promise<{ organization: string; token: string }>;
  /** A POST of a partner; its answer's fields. */
  post(token: string, path: string, body: object): Promise<Record<string, string>>;
  /** The newest mail whose subject holds these words, as soon as it is there. */
  mail(words: string): Promise<LocalMail>;
  close(): Promise<void>;
}

const mailWithinMs = 20_000;
const pollMs = 100;

export async function openSite(): Promise<Site> {
  const directory = mkdtempSync(join(tmpdir(), "partner-api-site-"));
  const service = await startService(directory, await bundleInto(directory), localGatewayKey());
  await migrate(service);
  return {
    ...service,
    async found(name, scopes) {
      const slug = name.toLowerCase().replaceAll(/\W+/g, "-");
      const owner = `owner@${slug}.example`;
      const { id } = await service.admin<{ id: string }>("create-organization", {
        name,
        slug,
        plan: "agency",
        owner_email: owner,
      });
      const fields = { organization: id, name: "browser", scopes };
      const { token } = await service.admin<{ token: string }>("create-api-token", fields);
      return { organization: id, token };
    },
    async post(token, path, body) {
      const response = await service.call(path, { token, body, key: crypto.randomUUID() });
      const answer = (await response.json()) as Record<string, string>;
      if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
      return answer;
    },
    async mail(words) {
      for (const until = Date.now() + mailWithinMs; Date.now() < until; ) {
        const found = (await sentMails(service.baseUrl)).find(({ subject }) => subject.includes(words));
        if (found) return readMail(service.baseUrl, found.messageId);
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
      throw new Error(`no mail says: ${words}`);
    },
    async close() {
      await service.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
