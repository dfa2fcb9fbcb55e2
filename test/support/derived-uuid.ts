import { sha256Hex } from "../../src/platform/digest.ts";

/** Derives a UUID (version 8, RFC 9562) from these parts. */
export function derivedUuid(...parts: string[]): string {
  const hex = sha256Hex(JSON.stringify(parts));
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const [versioned, marked] = [`8${hex.slice(13, 16)}`, variant + hex.slice(17, 20)];
  return [hex.slice(0, 8), hex.slice(8, 12), versioned, marked, hex.slice(20, 32)].join("-");
}
