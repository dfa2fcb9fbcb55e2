import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { memoryStore } from "../../client/src/index.ts";
import type { DemoContext, JsonFields } from "./context.ts";

interface Delivery {
  id: string;
  payload: JsonFields;
}

/** The demo's webhook receiver, which accepts only valid signatures. */
interface DemoReceiver {
  verified: Delivery[];
  close(): Promise<void>;
}

export async function listenForWebhooks({ admin, step }: DemoContext): Promise<DemoReceiver> {
  const verified: Delivery[] = [];
  let secret = "";
  const server = createServer(async (request, response) => {
    try {
      const body = await textOf(request);
      const payload = new Webhook(secret).verify(body, request.headers as Record<string, string>);
      verified.push({ id: String(request.headers["webhook-id"]), payload });
      response.writeHead(204).end();
    } catch {
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;

  await step("An admin registers a webhook endpoint for money and delivery events", async () => {
    const endpoint = await admin("create-webhook-endpoint", { url, events: "money,delivery" });
    assert.match(endpoint.secret, /^whsec_/);
    secret = endpoint.secret;
    return `${url}, secret ${endpoint.secret.slice(0, 9)}…, shown once`;
  });
  return {
    verified,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** In commit order. */
const expected = [
  "invoice.sent",
  "invoice.paid",
  "invoice.paid",
  "deliverable.sent",
  "deliverable.reminded",
  "feedback.created",
  "feedback.created",
  "deliverable.sent",
  "signoff.recorded",
];
const patienceMs = 10_000;
const pollMs = 50;

/** Checks that every event from the steps so far was delivered once, with a valid signature. */
export async function demoWebhooks(
  { admin, api, step }: DemoContext,
  { verified }: DemoReceiver,
): Promise<void> {
  await step("Each step arrived as a signed webhook", async () => {
    for (const until = Date.now() + patienceMs; verified.length < expected.length && Date.now() < until; ) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    assert.deepEqual(verified.map(({ payload }) => payload.event).sort(), [...expected].sort());
    assert.equal(new Set(verified.map(({ id }) => id)).size, expected.length);
    return verified.map(describe).join("\n");
  });

  await step("The feed has the same events, each once, in commit order", async () => {
    const listed: string[] = [];
    await api.events.catchUp({ store: memoryStore(), handle: ({ event }) => listed.push(event) });
    assert.deepEqual(listed.slice(-expected.length), expected);
    return listed.slice(-expected.length).join(", ");
  });

  await step("The delivery log agrees", async () => {
    const deliveries: JsonFields[] = await admin("list-webhook-deliveries", { status: "delivered" });
    const logged = new Set(deliveries.map(({ id }) => id));
    assert.ok(verified.every(({ id }) => logged.has(id)));
    const [shown] = [await admin("show-webhook-delivery", { id: verified[0]?.id ?? "" })];
    const [attempt] = shown.attempt_log;
    return `${deliveries.length} delivered; the first: ${attempt.response_status} after ${attempt.latency_ms} ms`;
  });
}

function describe({ id, payload: { event, data } }: Delivery): string {
  const money = data.amount_received ?? data.total;
  const about = money === undefined ? data.title : `${data.number}, ${money} ${data.currency}`;
  return `verified ${event.padEnd(20)} ${about} (${id})`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
