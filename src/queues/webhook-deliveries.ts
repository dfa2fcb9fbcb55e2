import { sendingLimits } from "../catalogue/webhook-limits.ts";
import { deliver } from "../domain/webhooks/deliver.ts";
import type { LaneName, LeasedId, SendingServices } from "../domain/webhooks/webhook-services.ts";

/**
 * The consumer of both lanes. A message is a wake-up for one delivery; the database holds the state. A receiver's
 * failure is recorded and the message is done; only our own failure makes the queue bring it again.
 */
export async function consumeWebhookDeliveries(
  messages: MessageBatch<unknown>,
  services: SendingServices,
  execution: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const lane: LaneName = messages.queue.includes("-slow") ? "slow" : "fast";
  const retry = { delaySeconds: sendingLimits.redeliverySeconds };
  const readable = messages.messages.filter(isReadable);
  if (readable.length < messages.messages.length) {
    console.error(JSON.stringify({ unreadable_messages: messages.messages.length - readable.length }));
  }
  try {
    const claims = readable.map(({ body }) => body);
    const undone = claims.length > 0 ? await deliver(services, lane, claims, execution) : new Set();
    for (const message of readable) if (undone.has(message.body.id)) message.retry(retry);
  } catch (error) {
    console.error(JSON.stringify({ webhook_failure: "batch", error: String(error) }));
    for (const message of readable) message.retry(retry);
  }
}

/** What is not a wake-up is acknowledged: bringing it again would not make it one. */
function isReadable(message: Message<unknown>): message is Message<LeasedId> {
  const { id, lease } = Object(message.body) as Partial<LeasedId>;
  return typeof id === "string" && typeof lease === "string";
}
