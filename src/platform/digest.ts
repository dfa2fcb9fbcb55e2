import { createHmac, hash, timingSafeEqual } from "node:crypto";

const encoder = new TextEncoder();

export const sha256Hex = (data: string | Uint8Array): string => hash("sha256", data, "hex");

/** HMAC-SHA256, base64url. */
export const hmacBase64Url = (key: string, data: string): string =>
  createHmac("sha256", key).update(data).digest("base64url");

/** Compares in a time that depends only on the texts' lengths, which are no secret. */
export function equalInConstantTime(left: string, right: string): boolean {
  const [one, other] = [encoder.encode(left), encoder.encode(right)];
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}

/** A UUID (version 8, RFC 9562) that the same parts always give. */
export function derivedUuid(...parts: string[]): string {
  const hex = sha256Hex(JSON.stringify(parts));
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const [versioned, marked] = [`8${hex.slice(13, 16)}`, variant + hex.slice(17, 20)];
  return [hex.slice(0, 8), hex.slice(8, 12), versioned, marked, hex.slice(20, 32)].join("-");
}
