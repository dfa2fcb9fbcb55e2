import { webhookLimits } from "../../contract/webhook-limits.ts";

/** A delivery to be signed with Standard Webhooks and with the legacy scheme (contract W8). */
export interface DeliveryToSign {
  /** The same across retries and replays. */
  id: string;
  /** The event's id in the feed (GET /api-v1/events). */
  eventId: string;
  event: string;
  /** Whether this is an admin's test of the endpoint. The event did not happen. */
  isTest: boolean;
  /** 1 for the first attempt. */
  attempt: number;
  /** Unix time of this attempt. */
  timestampSeconds: number;
  /** The raw body, exactly as posted. */
  body: string;
  /** The valid secrets, newest first; two during a rotation's overlap. */
  keys: readonly SigningKeys[];
}

/** A secret's keys, one for each scheme. They are not extractable. */
export interface SigningKeys {
  /** The bytes that the secret's base64 encodes. */
  standard: CryptoKey;
  /** The UTF-8 text of the whole secret, including the prefix. */
  legacy: CryptoKey;
}

const secretPrefix = "whsec_";
const hmac = { name: "HMAC", hash: "SHA-256" };
const utf8 = new TextEncoder();

/** Imports the keys of a secret. Callers cache them, which makes signing a third faster. */
export async function signingKeys(secret: string): Promise<SigningKeys> {
  const [standard, legacy] = await Promise.all([
    importKey(Buffer.from(secret.slice(secretPrefix.length), "base64")),
    importKey(utf8.encode(secret)),
  ]);
  return { standard, legacy };
}

export async function deliveryHeaders(delivery: DeliveryToSign): Promise<Record<string, string>> {
  const { id, body, keys } = delivery;
  const timestamp = String(delivery.timestampSeconds);
  const signedText = `${id}.${timestamp}.${body}`;
  const [standard, legacy] = await Promise.all([
    Promise.all(keys.map((key) => signature(key.standard, signedText, "base64"))),
    Promise.all(keys.map((key) => signature(key.legacy, body, "hex"))),
  ]);
  return {
    "content-type": "application/json",
    "user-agent": "Svc-Webhooks/1.0",
    "webhook-id": id,
    "webhook-event-id": delivery.eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": standard.map((text) => `v1,${text}`).join(" "),
    "X-Svc-Delivery-Id": id,
    "X-Svc-Event": delivery.event,
    "X-Svc-Attempt": String(delivery.attempt),
    "X-Svc-Signature": legacy.map((text) => `sha256=${text}`).join(","),
    ...(delivery.isTest ? { "X-Svc-Test": "true" } : {}),
  };
}

/** Creates a new signing secret: `whsec_` and the base64 of 32 random bytes. */
export const newSigningSecret = (): string =>
  secretPrefix +
  Buffer.from(crypto.getRandomValues(new Uint8Array(webhookLimits.secretBytes))).toString("base64");

const importKey = (bytes: BufferSource): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", bytes, hmac, false, ["sign"]);

const signature = async (key: CryptoKey, text: string, encoding: "base64" | "hex"): Promise<string> =>
  Buffer.from(await crypto.subtle.sign("HMAC", key, utf8.encode(text))).toString(encoding);
