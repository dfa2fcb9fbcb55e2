import type { WebhookEvent } from "./contract.ts";
import { WebhookVerificationError } from "./errors.ts";

/** Fetch `Headers`, or the plain object of a Node server. */
export type DeliveryHeaders =
  | { get(name: string): string | null }
  | Record<string, string | string[] | undefined>;

const toleranceSeconds = 300;
const secretPrefix = "whsec_";
const hmac = { name: "HMAC", hash: "SHA-256" };

/**
 * Verifies a delivery (Standard Webhooks) and returns its event, or throws a WebhookVerificationError. `rawBody` is
 * the body as received, before any parsing. While you rotate your secret, pass both.
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
      `webhook-timestamp is ${age > 0 ? "too old" : "in the future or not a number"}`,
    );
  }
  const body = bytesIn(rawBody);
  const signed = concatenated(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const signatures = header(headers, "webhook-signature")
    .split(" ")
    .flatMap((text) => (text.startsWith("v1,") ? (bytesOf(text.slice(3)) ?? []) : []));
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret, "verify");
    for (const signature of signatures) {
      // Compares in constant time.
      if (await crypto.subtle.verify(hmac, key, signature, signed)) return eventOf(body);
    }
  }
  throw new WebhookVerificationError("webhook-signature has no valid signature for this secret");
}

/** Verifies a delivery by its `X-Svc-Signature`, an HMAC of the raw body with the secret's text as its key. */
export async function verifyLegacyDelivery(
  rawBody: string | Uint8Array,
  headers: DeliveryHeaders,
  secrets: string | readonly string[],
): Promise<WebhookEvent> {
  const body = bytesIn(rawBody);
  const signatures = header(headers, "x-svc-signature")
    .split(",")
    .flatMap((text) => (/^sha256=[0-9a-f]{64}$/.test(text.trim()) ? [bytesOfHex(text.trim().slice(7))] : []));
  for (const secret of [secrets].flat()) {
    const key = await importKey(bytesIn(secret), "verify");
    for (const signature of signatures) {
      if (await crypto.subtle.verify(hmac, key, signature, body)) return eventOf(body);
    }
  }
  throw new WebhookVerificationError("x-svc-signature has no valid signature for this secret");
}

/** Creates the value of `webhook-signature`, for tests of your receiver. */
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

const bytesIn = (rawBody: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(typeof rawBody === "string" ? new TextEncoder().encode(rawBody) : rawBody);

const eventOf = (body: Uint8Array): WebhookEvent => JSON.parse(new TextDecoder().decode(body));

function header(headers: DeliveryHeaders, name: string): string {
  const value =
    typeof headers.get === "function"
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  if (typeof value !== "string" || value === "") throw new WebhookVerificationError(`${name} is missing`);
  return value;
}

function keyOf(secret: string, use: "sign" | "verify"): Promise<CryptoKey> {
  const bytes = secret.startsWith(secretPrefix) ? bytesOf(secret.slice(secretPrefix.length)) : undefined;
  if (!bytes?.length) throw new TypeError(`A webhook secret must be ${secretPrefix} followed by base64`);
  return importKey(bytes, use);
}

const importKey = (bytes: Uint8Array<ArrayBuffer>, use: "sign" | "verify"): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", bytes, hmac, false, [use]);

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

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
