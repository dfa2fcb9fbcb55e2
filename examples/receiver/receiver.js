/**
 * A webhook receiver that verifies, deduplicates, detects late events, and responds before it does the work.
 * WEBHOOK_SECRET=whsec_… PORT=9999 node receiver.js
 */
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { Webhook } from "standardwebhooks";
import { Inbox } from "./inbox.js";

const port = Number(process.env.PORT ?? 9999);
const inbox = new Inbox();
let webhook = process.env.WEBHOOK_SECRET ? new Webhook(process.env.WEBHOOK_SECRET) : undefined;

const server = createServer(async (request, response) => {
  const body = await rawBody(request).catch(() => undefined);
  // The sender disconnected halfway and will retry, so nothing of this attempt is recorded.
  if (body === undefined) return response.destroy();
  // Without a secret, nothing can be verified. A 503 makes the sender retry, so nothing is lost.
  if (!webhook) return response.writeHead(503).end();
  let event;
  try {
    // Checks the signature and the timestamp on the raw bytes, and throws if one is not valid.
    event = webhook.verify(body, request.headers);
  } catch {
    return response.writeHead(400).end("not verified");
  }
  const verdict = inbox.take(request.headers["webhook-id"], event);
  // Responds at once, however long the work takes. A duplicate is a success too.
  response.writeHead(204).end();
  console.log(visible(`${verdict.padEnd(9)} ${event.event.padEnd(21)} ${request.headers["webhook-id"]}`));
  // A test event does not report anything that really happened.
  const isTest = request.headers["x-svc-test"] === "true";
  if (verdict !== "duplicate" && !isTest) await work(event, verdict === "late");
});

/** Replace this with your work. A late event did happen, but its status and amount due are out of date. */
async function work({ event, data }, isLate) {
  if (event === "invoice.paid") {
    console.log(
      visible(
        `          ${data.client_name} paid ${data.amount_received} ${data.currency} of ${data.number}`,
      ),
    );
    if (!isLate) console.log(`          ${data.amount_due} ${data.currency} of it are due`);
  }
}

/** Names come from others, so control characters are removed before they reach the terminal. */
const visible = (text) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu, "\u{fffd}");

async function rawBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

server.listen(port, () => console.log(`Receiving at http://localhost:${port}/`));

if (!webhook) {
  console.log(
    "Paste the secret that create-webhook-endpoint shows (until then: 503, so that it is sent again):",
  );
  createInterface({ input: process.stdin }).on("line", (line) => {
    if (!line.trim().startsWith("whsec_")) return console.log("A secret starts with whsec_");
    webhook = new Webhook(line.trim());
    console.log("Verifying from now on");
  });
}
