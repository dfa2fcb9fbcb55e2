import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";

/** AES-256 of one block is a permutation: equal numbers look alike, and the text shows nothing else of a number. */
const algorithm = "aes-256-ecb";
const blockBytes = 16;

const keyOf = (secret: string) => createHash("sha256").update(`hidden number ${secret}`).digest();

/** Hides a number from 0 to 2^53 - 1 in 22 characters, which show nothing of it without the secret. */
export function hideNumber(secret: string, value: number): string {
  const block = Buffer.alloc(blockBytes);
  block.writeBigUInt64BE(BigInt(value), blockBytes / 2);
  const cipher = createCipheriv(algorithm, keyOf(secret), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]).toString("base64url");
}

/** Reads the number back; null if the text hides none. */
export function revealNumber(secret: string, text: string): number | null {
  const hidden = Buffer.from(text, "base64url");
  if (hidden.byteLength !== blockBytes) return null;
  const decipher = createDecipheriv(algorithm, keyOf(secret), null).setAutoPadding(false);
  const block = Buffer.concat([decipher.update(hidden), decipher.final()]);
  return block.readBigUInt64BE(0) === 0n ? Number(block.readBigUInt64BE(blockBytes / 2)) : null;
}
