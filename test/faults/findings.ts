import type { FaultReceiver, Receipt } from "./receiver.ts";
import type { KillableService } from "./service.ts";

interface Delivery {
  id: string;
  endpoint_id: string;
  event_id: string;
  status: string;
  payload: string;
}

/**
 * The time from the SIGKILL until just before the restart. A request that arrives in between was sent before the kill.
 */
export interface Kill {
  fromMs: number;
  untilMs: number;
}

interface Findings {
  events: number;
  deliveries: number;
  requests: number;
  /** Deliveries that were resent although the receiver had accepted them. */
  sentAgain: number;
  maxRequestsOfOne: number;
  /** Broken promises; empty if all were kept. */
  broken: string[];
}

export async function findingsOf(
  service: Pick<KillableService, "sql">,
  receivers: ReadonlyMap<string, FaultReceiver>,
  kills: readonly Kill[],
): Promise<Findings> {
  const [{ events = 0 } = {}] = await service.sql<{ events: number }>(
    "SELECT count(*) AS events FROM events",
  );
  const deliveries = await service.sql<Delivery>(
    `SELECT webhook_deliveries.id, endpoint_id, event_id, status, payload
     FROM webhook_deliveries JOIN events ON events.id = event_id`,
  );
  const broken: string[] = [];
  const must = (holds: boolean, text: string) => holds || broken.push(text);
  must(
    deliveries.length === events * receivers.size,
    `${events} events have ${deliveries.length} deliveries to ${receivers.size} endpoints`,
  );
  const pairs = new Set(deliveries.map(({ event_id, endpoint_id }) => `${event_id} ${endpoint_id}`));
  must(pairs.size === deliveries.length, "an event has two deliveries to one endpoint");

  let sentAgain = 0;
  let maxRequestsOfOne = 0;
  const known = new Set(deliveries.map(({ id }) => id));
  const receiptsOf = new Map([...receivers].map(([id, { receipts }]) => [id, grouped(receipts)]));
  for (const { id, endpoint_id, status, payload } of deliveries) {
    const receipts = receiptsOf.get(endpoint_id)?.get(id) ?? [];
    maxRequestsOfOne = Math.max(maxRequestsOfOne, receipts.length);
    must(status === "delivered", `${id} is ${status}`);
    must(
      receipts.some(({ answered }) => answered < 300),
      `${id} was never taken by its receiver`,
    );
    must(
      receipts.every(({ body }) => body === payload),
      `${id} did not carry its event's bytes`,
    );
    const repeats = receipts.slice(1).map((receipt, index) => [receipts[index] as Receipt, receipt] as const);
    const needless = repeats.filter(([before]) => before.answered < 300);
    if (needless.length > 0) sentAgain += 1;
    for (const [before, after] of needless) {
      const explained = kills.some(({ fromMs, untilMs }) => untilMs >= before.atMs && fromMs <= after.atMs);
      must(explained, `${id} was sent again with no kill between`);
    }
  }
  for (const { receipts, unverified } of receivers.values()) {
    must(unverified === 0, `${unverified} requests did not verify`);
    must(
      receipts.every(({ deliveryId }) => known.has(deliveryId)),
      "a request carried an id that no delivery has",
    );
  }
  const requests = [...receivers.values()].reduce((sum, { receipts }) => sum + receipts.length, 0);
  return { events, deliveries: deliveries.length, requests, sentAgain, maxRequestsOfOne, broken };
}

function grouped(receipts: readonly Receipt[]): Map<string, Receipt[]> {
  const groups = new Map<string, Receipt[]>();
  for (const receipt of receipts) {
    const group = groups.get(receipt.deliveryId);
    if (group) group.push(receipt);
    else groups.set(receipt.deliveryId, [receipt]);
  }
  return groups;
}
