import { sendingLimits } from "../../contract/webhook-limits.ts";
import { remember } from "../../platform/remember.ts";
import type { DeliveryQueues, LeasedId, QueueName } from "./leased-id.ts";

/** Puts leased deliveries on a queue, in as many batches as the queue asks for. */
export async function enqueue(
  queues: DeliveryQueues,
  name: QueueName,
  leased: readonly LeasedId[],
): Promise<void> {
  for (let start = 0; start < leased.length; start += sendingLimits.queueBatchMessages) {
    const part = leased.slice(start, start + sendingLimits.queueBatchMessages);
    await queues[name].sendBatch(part.map(({ id, lease }) => ({ body: { id, lease } })));
  }
}

/** The endpoints that this isolate saw hang lately, and until when that counts (milliseconds). */
const hangingUntilMs = new Map<string, number>();

/** Keeps an endpoint that hangs out of the fast queue before its failures stand in the database. */
export const rememberHanging = (endpointId: string, nowMs: number): void => {
  const untilMs = nowMs + sendingLimits.hangingRememberedMs;
  remember(hangingUntilMs, endpointId, untilMs, sendingLimits.rememberedHangingEndpoints);
};

export const isHanging = (endpointId: string, nowMs: number): boolean =>
  (hangingUntilMs.get(endpointId) ?? 0) > nowMs;
