import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";

/** AES-256 of one block is a permutation: equal numbers look alike, and the text shows nothing else of them. */
const algorithm = "aes-256-ecb";
const blockBytes = 16;

const keyOf = (secret: string) => createHash("sha256").update(`hidden number ${secret}`).digest();

/** Hides two numbers from 0 to 2^53 - 1 in 22 characters, which show nothing of them without the secret. */
export function hideNumbers(secret: string, first: number, second: number): string {
  const block = Buffer.alloc(blockBytes);
  block.writeBigUInt64BE(BigInt(first), 0);
  block.writeBigUInt64BE(BigInt(second), blockBytes / 2);
  const cipher = createCipheriv(algorithm, keyOf(secret), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]).toString("base64url");
}

/** Reads the numbers back; null if the text hides none. */
export function revealNumbers(secret: string, text: string): [first: number, second: number] | null {
  const hidden = Buffer.from(text, "base64url");
  if (hidden.byteLength !== blockBytes) return null;
  const decipher = createDecipheriv(algorithm, keyOf(secret), null).setAutoPadding(false);
  const block = Buffer.concat([decipher.update(hidden), decipher.final()]);
  const [first, second] = [block.readBigUInt64BE(0), block.readBigUInt64BE(blockBytes / 2)];
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  return first <= most && second <= most ? [Number(first), Number(second)] : null;
}
