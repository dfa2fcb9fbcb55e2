import { sendingLimits } from "../../catalogue/webhook-limits.ts";
import type { LaneName, Lanes, LeasedId } from "./webhook-services.ts";

/** Puts wake-ups on a lane, in as many batches as the queue asks for. */
export async function send(lanes: Lanes, name: LaneName, leased: readonly LeasedId[]): Promise<void> {
  for (let start = 0; start < leased.length; start += sendingLimits.queueBatchMessages) {
    const part = leased.slice(start, start + sendingLimits.queueBatchMessages);
    await lanes[name].sendBatch(part.map(({ id, lease }) => ({ body: { id, lease } })));
  }
}

/** Endpoints that hung lately, as this isolate saw it, and until when that counts (milliseconds). */
const hangingUntilMs = new Map<string, number>();

/** Keeps an endpoint that hangs out of the fast lane before its failures stand in the database. */
export function rememberHanging(endpointId: string, nowMs: number): void {
  if (hangingUntilMs.size >= sendingLimits.rememberedHangingEndpoints) hangingUntilMs.clear();
  hangingUntilMs.set(endpointId, nowMs + sendingLimits.hangingRememberedMs);
}

export const isHanging = (endpointId: string, nowMs: number): boolean =>
  (hangingUntilMs.get(endpointId) ?? 0) > nowMs;
