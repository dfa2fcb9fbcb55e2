import { sendingLimits } from "../contract/webhook-limits.ts";
import { deliver } from "../domain/webhooks/deliver.ts";
import type { LeasedId, QueueName, SendingServices } from "../domain/webhooks/webhook-services.ts";
import { report } from "../platform/report.ts";

/**
 * The consumer of both queues. A message is a wake-up for one delivery; the database holds the state. A receiver's
 * failure is recorded and the message is done; only our own failure makes the queue bring it again.
 */
export async function consumeWebhookDeliveries(
  messages: MessageBatch<unknown>,
  services: SendingServices,
  execution: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const queue: QueueName = messages.queue.includes("-slow") ? "slow" : "fast";
  const retry = { delaySeconds: sendingLimits.redeliverySeconds };
  // Each body is read once: the platform's getter costs a microsecond.
  const wakeUps = messages.messages.map((message) => ({ message, claim: claimOf(message.body) }));
  const readable = wakeUps.filter((wakeUp): wakeUp is WakeUp => wakeUp.claim !== null);
  if (readable.length < wakeUps.length) {
    console.error(JSON.stringify({ unreadable_messages: wakeUps.length - readable.length }));
  }
  if (readable.length === 0) return;
  try {
    const claims = readable.map(({ claim }) => claim);
    const undone = await deliver(services, queue, claims, execution);
    for (const { message, claim } of readable) if (undone.has(claim.id)) message.retry(retry);
  } catch (error) {
    report({ webhook_failure: "batch" }, error);
    for (const { message } of readable) message.retry(retry);
  }
}

interface WakeUp {
  message: Message<unknown>;
  claim: LeasedId;
}

/** What is not a wake-up is acknowledged: bringing it again would not make it one. */
function claimOf(body: unknown): LeasedId | null {
  const { id, lease } = Object(body) as Partial<LeasedId>;
  return typeof id === "string" && typeof lease === "string" ? { id, lease } : null;
}
