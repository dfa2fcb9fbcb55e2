import type { DeliveryMessage, QueueName } from "../contract/messages.ts";
import { sendingLimits } from "../contract/webhook-limits.ts";
import type { Services } from "../core/services.ts";
import { report, withLogIds } from "../platform/log.ts";
import { deliver } from "../webhooks/sending/deliver.ts";

/**
 * Consumes the three delivery queues. A message contains the id of one delivery; the database has its state. If
 * the receiver fails, the failure is recorded and the message acknowledged. The queue redelivers a message only
 * if we fail.
 */
export async function consumeWebhookDeliveries(
  batch: MessageBatch<unknown>,
  services: Services,
  execution: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const queue = queueOf(batch.queue);
  const retry = { delaySeconds: sendingLimits.redeliverySeconds };
  const readable = batch.messages.map(read).filter((message) => message !== null);
  if (readable.length === 0) return;
  const leased = readable.map(({ body }) => body);
  await withLogIds({ delivery_ids: leased.map(({ id }) => id) }, async () => {
    try {
      const undone = await deliver(services, queue, leased, execution);
      for (const { message, body } of readable) if (undone.has(body.id)) message.retry(retry);
    } catch (error) {
      report({ failed: "load" }, error);
      for (const { message } of readable) message.retry(retry);
    }
  });
}

/** Returns the queue with this name in wrangler.toml, in any environment. */
const queueOf = (name: string): QueueName =>
  (["slow", "failing"] as const).find((queue) => name.includes(`-${queue}`)) ?? "fast";

/**
 * Reads the body once, because the platform's getter costs a microsecond. A message without a delivery id is logged and
 * acknowledged, because a retry would not help.
 */
function read(message: Message<unknown>): { message: Message<unknown>; body: DeliveryMessage } | null {
  const { id, lease, ...place } = Object(message.body) as Partial<DeliveryMessage>;
  if (typeof id === "string" && typeof lease === "string") return { message, body: { id, lease, ...place } };
  report({ unreadable_message: message.id }, "it names no delivery");
  return null;
}
