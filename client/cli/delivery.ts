import { createHmac } from "node:crypto";
import { signDelivery } from "../src/webhooks.ts";

/** A delivery as production creates it. */
export interface ForwardedDelivery {
  id: string;
  eventId: string;
  /** The event's name. */
  event: string;
  attempt: number;
  timestampSeconds: number;
  body: string;
  /** The signing secret; during a rotation, two, newest first. */
  secrets: readonly string[];
}

export async function headersOfDelivery(delivery: ForwardedDelivery): Promise<Record<string, string>> {
  const { id, timestampSeconds, body, secrets } = delivery;
  const signatures = secrets.map((secret) => signDelivery(id, timestampSeconds, body, secret));
  return {
    "content-type": "application/json",
    "user-agent": "Svc-Webhooks/1.0",
    "webhook-id": id,
    "webhook-event-id": delivery.eventId,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": (await Promise.all(signatures)).join(" "),
    "X-Svc-Delivery-Id": id,
    "X-Svc-Event": delivery.event,
    "X-Svc-Attempt": String(delivery.attempt),
    "X-Svc-Signature": secrets.map((secret) => legacySignature(body, secret)).join(","),
  };
}

const legacySignature = (body: string, secret: string) =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

/** A receiver's response, or why there was none, and how long it took. */
export interface ReceiverAnswer {
  status: number | null;
  text: string;
  latencyMs: number;
}

/** Posts a delivery. Redirects are not followed, as in production. */
export async function postDelivery(
  url: string,
  headers: Record<string, string>,
  body: string,
  deadlineMs: number,
): Promise<ReceiverAnswer> {
  const startedMs = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedMs);
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    const text = await response.text();
    return { status: response.status, text, latencyMs: latencyMs() };
  } catch (error) {
    const { message, cause } = error as Error;
    const text = signal.aborted ? "no answer" : String((cause as Error | undefined)?.message || message);
    return { status: null, text, latencyMs: latencyMs() };
  }
}
