import { readFileSync } from "node:fs";
import { join } from "node:path";
import { picturesFolder } from "../demo-workspace/deliverable-rows.ts";
import { linkIn, readMail, sentMails } from "./mailbox.ts";
import type { LocalServer } from "./state.ts";

export const title = "Homepage hero";
const picture = readFileSync(join(picturesFolder, "homepage-1.webp"));

interface Answer {
  id: string;
  data: { id: string; title: string; review_state: string; email: string | null; is_sample: boolean }[];
}

/**
 * Adds a personal review link to the server. If a review cannot be sent, for example because of a plan limit, prints
 * the reason and returns the server without a link.
 */
export async function withReview(server: LocalServer, tell: (reason: string) => void): Promise<LocalServer> {
  try {
    return { ...server, review_url: await openReview(server) };
  } catch (error) {
    tell((error as Error).message);
    return server;
  }
}

/**
 * Sends a deliverable to the demo's client, like a partner would, and reads the link from the e-mail. Each start sends
 * a new one, because the link's secret is stored only in the e-mail. If the deliverable has been signed off, creates
 * another.
 */
async function openReview(server: LocalServer): Promise<string> {
  const call = async (path: string, body?: object): Promise<Answer> => {
    const response = await fetch(server.base_url + path, {
      method: body ? "POST" : "GET",
      headers: {
        apikey: server.apikey,
        authorization: `Bearer ${server.token}`,
        "content-type": "application/json",
        "idempotency-key": crypto.randomUUID(),
      },
      body: body && JSON.stringify(body),
    });
    const answer = (await response.json()) as Answer;
    if (!response.ok) throw new Error(`The review could not be prepared: ${JSON.stringify(answer)}`);
    return answer;
  };
  const { data: known } = await call("/api-v1/deliverables?limit=200");
  const open = known.find((one) => one.title === title && one.review_state !== "approved");
  const { id } = open ?? (await create(call));
  await call(`/api-v1/deliverables/${id}/send`, {});
  const mail = (await sentMails(server.base_url)).find(({ subject }) => subject.includes(title));
  if (!mail) throw new Error("The review mail was not sent");
  return linkIn(await readMail(server.base_url, mail.messageId));
}

async function create(call: (path: string, body?: object) => Promise<Answer>): Promise<{ id: string }> {
  const { data: clients } = await call("/api-v1/clients");
  const client = clients.find(({ email, is_sample }) => email !== null && !is_sample);
  const image_base64 = picture.toString("base64");
  return call("/api-v1/deliverables", { title, client_id: client?.id, image_base64 });
}
