import type { WebhookEvent } from "./contract.ts";
import { WebhookVerificationError } from "./errors.ts";

/** A Fetch `Headers`, whoever made it, or the plain object of a Node server. */
export type DeliveryHeaders =
  | { get(name: string): string | null }
  | Record<string, string | string[] | undefined>;

const toleranceSeconds = 300;
const secretPrefix = "whsec_";
const hmac = { name: "HMAC", hash: "SHA-256" };

/**
 * The event of a delivery (Standard Webhooks), or a WebhookVerificationError. `rawBody` is what came, before any
 * parsing. During a rotation on your side give both secrets; on ours, the delivery carries a signature of each.
 */
export async function verifyDelivery(
  rawBody: string | Uint8Array,
  headers: DeliveryHeaders,
  secrets: string | readonly string[],
  nowSeconds = Math.floor(Date.now() / 1000),
): Promise<WebhookEvent> {
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const age = nowSeconds - (/^\d+$/.test(timestamp) ? Number(timestamp) : Number.NaN);
  if (!(Math.abs(age) <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      `webhook-timestamp is ${age > 0 ? "too old" : "in the future or no number"}`,
    );
  }
  const body = typeof rawBody === "string" ? new TextEncoder().encode(rawBody) : rawBody;
  const signed = concatenated(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const signatures = header(headers, "webhook-signature")
    .split(" ")
    .flatMap((text) => (text.startsWith("v1,") ? (bytesOf(text.slice(3)) ?? []) : []));
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret, "verify");
    for (const signature of signatures) {
      // Compares in constant time.
      if (await crypto.subtle.verify(hmac, key, signature, signed))
        return JSON.parse(new TextDecoder().decode(body));
    }
  }
  throw new WebhookVerificationError("webhook-signature holds no signature by this secret");
}

/** What the service puts into `webhook-signature`, for tests of your receiver. */
export async function signDelivery(
  id: string,
  timestampSeconds: number,
  body: string,
  secret: string,
): Promise<string> {
  const signed = new TextEncoder().encode(`${id}.${timestampSeconds}.${body}`);
  const signature = await crypto.subtle.sign(hmac, await keyOf(secret, "sign"), signed);
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
}

function header(headers: DeliveryHeaders, name: string): string {
  const value =
    typeof headers.get === "function" ? headers.get(name) : (headers as Record<string, unknown>)[name];
  if (typeof value !== "string" || value === "") throw new WebhookVerificationError(`${name} is missing`);
  return value;
}

function keyOf(secret: string, use: "sign" | "verify"): Promise<CryptoKey> {
  const bytes = secret.startsWith(secretPrefix) ? bytesOf(secret.slice(secretPrefix.length)) : undefined;
  if (!bytes?.length) throw new TypeError(`A webhook secret is ${secretPrefix} and base64`);
  return crypto.subtle.importKey("raw", bytes, hmac, false, [use]);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concatenated(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
