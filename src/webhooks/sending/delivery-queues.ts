import type { DeliveryMessage, DeliveryQueues, LeasedId, QueueName } from "../../contract/messages.ts";
import { sendingLimits } from "../../contract/webhook-limits.ts";
import { BoundedMap } from "../../platform/bounded-map.ts";
import { receiverOf } from "./reserve-posts.ts";

export type QueuedDelivery = LeasedId & { organization_id: string; url: string };

export const messageOf = ({ id, lease, organization_id, url }: QueuedDelivery): DeliveryMessage => ({
  id,
  lease,
  organization_id,
  host: receiverOf(url),
});

/** Sends leased deliveries to a queue, in batches of the size that queues accept. */
export async function enqueue(
  queues: DeliveryQueues,
  name: QueueName,
  leased: readonly QueuedDelivery[],
  delaySeconds = 0,
): Promise<void> {
  for (let start = 0; start < leased.length; start += sendingLimits.queueBatchMessages) {
    const part = leased.slice(start, start + sendingLimits.queueBatchMessages);
    const messages = part.map((delivery) => ({ body: messageOf(delivery) }));
    await (delaySeconds > 0
      ? queues[name].sendBatch(messages, { delaySeconds })
      : queues[name].sendBatch(messages));
  }
}

/** Endpoints that recently hung in this isolate, with the time until which they count as hanging. */
const hangingUntilMs = new BoundedMap<number>(sendingLimits.rememberedHangingEndpoints);

/** Keeps a hanging endpoint off the fast queue before its failures are in the database. */
export const rememberHanging = (endpointId: string, nowMs: number): void =>
  void hangingUntilMs.set(endpointId, nowMs + sendingLimits.hangingRememberedMs);

export const isHanging = (endpointId: string, nowMs: number): boolean =>
  (hangingUntilMs.get(endpointId) ?? 0) > nowMs;
