import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { type ForwardedDelivery, headersOfDelivery, postDelivery, type ReceiverAnswer } from "../delivery.ts";
import examples from "../example-events.json" with { type: "json" };

/** Longer than production's 5 s, to distinguish a slow receiver from one that rejects deliveries. */
const patienceMs = 15_000;

export interface DeliveryChanges extends Partial<ForwardedDelivery> {
  /** Headers that replace production's; null omits a header. */
  headers?: Record<string, string | null>;
}

/** The receiver under test: sends it deliveries and records its slowest response. */
export class Receiver {
  readonly #url: string;
  /** Added to every delivery's headers. */
  readonly #own: Record<string, string>;
  readonly secret: string;
  slowestMs = 0;
  hasAnswered = false;

  constructor(url: string, secret: string, own: Record<string, string> = {}) {
    this.#url = url;
    this.#own = own;
    this.secret = secret;
  }

  /** Creates a delivery; by default a fresh, valid one of invoice.paid. */
  delivery(changes: DeliveryChanges = {}): ForwardedDelivery {
    const body = changes.body ?? JSON.stringify(example(changes.event ?? "invoice.paid"));
    return {
      id: crypto.randomUUID(),
      eventId: crypto.randomUUID(),
      event: "invoice.paid",
      attempt: 1,
      timestampSeconds: nowSeconds(),
      secrets: [this.secret],
      ...changes,
      body,
    };
  }

  async send(changes: DeliveryChanges = {}): Promise<ReceiverAnswer> {
    const delivery = this.delivery(changes);
    const headers = Object.entries({
      ...this.#own,
      ...(await headersOfDelivery(delivery)),
      ...changes.headers,
    });
    const given = Object.fromEntries(
      headers.flatMap(([name, text]) => (text === null ? [] : [[name, text]])),
    );
    const answer = await postDelivery(this.#url, given, delivery.body, patienceMs);
    this.hasAnswered ||= answer.status !== null;
    if (isAccepted(answer)) this.slowestMs = Math.max(this.slowestMs, answer.latencyMs);
    return answer;
  }

  /** Sends half of a delivery and then drops the connection. */
  async breakOff(delivery: ForwardedDelivery): Promise<void> {
    const headers = { ...this.#own, ...(await headersOfDelivery(delivery)) };
    const request = this.#url.startsWith("https:") ? requestHttps : requestHttp;
    const length = Buffer.byteLength(delivery.body);
    const sending = request(this.#url, { method: "POST", headers: { ...headers, "content-length": length } });
    await new Promise<void>((resolve) => {
      sending.on("error", () => resolve());
      sending.write(delivery.body.slice(0, length / 2), () => setTimeout(() => sending.destroy(), breakMs));
      sending.on("close", () => resolve());
    });
    await new Promise((resolve) => setTimeout(resolve, breakMs));
  }
}

/** Long enough for the first half to arrive and for the receiver to notice that the rest is missing. */
const breakMs = 100;

export const nowSeconds = () => Math.floor(Date.now() / 1000);

/** A fresh event from the catalog. */
export function example(name: string): { event: string; created_at: string; data: Record<string, unknown> } {
  const found = examples.find(({ event }) => event === name);
  if (!found) throw new Error(`${name} is not in the catalog`);
  return { ...found, created_at: new Date().toISOString() };
}

export const everyEvent = examples.map(({ event }) => event);

export const isAccepted = ({ status }: ReceiverAnswer) => status !== null && status >= 200 && status < 300;
