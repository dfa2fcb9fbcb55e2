import { createHash, createHmac, timingSafeEqual } from "node:crypto";

export const sha256Hex = (data: string | Uint8Array): string =>
  createHash("sha256").update(data).digest("hex");

/** HMAC-SHA256, base64url. */
export const hmacBase64Url = (key: string, data: string): string =>
  createHmac("sha256", key).update(data).digest("base64url");

/** Compares in time that depends on neither text: both are hashed to one length first. */
export const equalInConstantTime = (left: string, right: string): boolean =>
  timingSafeEqual(createHash("sha256").update(left).digest(), createHash("sha256").update(right).digest());

/** A UUID (version 8, RFC 9562) that the same parts always give. */
export function derivedUuid(...parts: string[]): string {
  const hex = sha256Hex(JSON.stringify(parts));
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
