import { createHmac, hash, timingSafeEqual } from "node:crypto";

const encoder = new TextEncoder();

export const sha256Hex = (data: string | Uint8Array): string => hash("sha256", data, "hex");

export const hmacBase64Url = (key: string, data: string): string =>
  createHmac("sha256", key).update(data).digest("base64url");

/** Compares in a time that depends only on the lengths, which are not secret. */
export function equalInConstantTime(left: string, right: string): boolean {
  const [one, other] = [encoder.encode(left), encoder.encode(right)];
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}
