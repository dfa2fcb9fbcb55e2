import { createHmac } from "node:crypto";

/**
 * The baseline for a webhook sender: signs deliveries with both schemes and posts them, six at a time, without a
 * database.
 */

export interface BaselineMessage {
  id: string;
  url: string;
  event: string;
  payload: string;
  secret: string;
}

const connections = 6;

async function deliver({ id, url, event, payload, secret }: BaselineMessage): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const standard = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
    .update(`${id}.${timestamp}.${payload}`)
    .digest("base64");
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": "Svc-Webhooks/1.0",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${standard}`,
      "X-Svc-Delivery-Id": id,
      "X-Svc-Event": event,
      "X-Svc-Attempt": "1",
      "X-Svc-Signature": `sha256=${createHmac("sha256", secret).update(payload).digest("hex")}`,
    },
    body: payload,
    redirect: "manual",
    signal: AbortSignal.timeout(5_000),
  });
  await response.text();
}

export default {
  async queue({ messages }): Promise<void> {
    let next = 0;
    const connection = async () => {
      for (let message = messages[next++]; message; message = messages[next++]) await deliver(message.body);
    };
    await Promise.all(Array.from({ length: connections }, connection));
  },
} satisfies ExportedHandler<unknown, BaselineMessage>;
