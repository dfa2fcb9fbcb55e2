import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";

/**
 * AES-256 of a single block is a permutation. Equal numbers give equal results, but the results reveal nothing else.
 */
const algorithm = "aes-256-ecb";
const blockBytes = 16;

const keyOf = (secret: string) => createHash("sha256").update(`hidden number ${secret}`).digest();

/** Identifies the secret that hid the numbers, and reveals nothing else about it. */
const nameOf = (secret: string) =>
  createHash("sha256").update(`name of hidden number ${secret}`).digest("base64url").slice(0, nameLength);
const nameLength = 4;

/** The length of one block in base64url. */
const blockCharacters = 22;

/** Hides two numbers from 0 to 2^53 - 1 in 26 characters, which reveal nothing about them without the secret. */
export function hideNumbers(secret: string, first: number, second: number): string {
  const block = Buffer.alloc(blockBytes);
  block.writeBigUInt64BE(BigInt(first), 0);
  block.writeBigUInt64BE(BigInt(second), blockBytes / 2);
  const cipher = createCipheriv(algorithm, keyOf(secret), null).setAutoPadding(false);
  return nameOf(secret) + Buffer.concat([cipher.update(block), cipher.final()]).toString("base64url");
}

/**
 * Reveals the numbers with the secret that hid them; null if the string is not valid. A string from an earlier release
 * does not name its secret, so it is read with whichever secret yields two valid numbers. A wrong secret does so once
 * in 2^22.
 */
export function revealNumbers(
  secrets: readonly string[],
  text: string,
): [first: number, second: number] | null {
  const name = text.slice(0, -blockCharacters);
  const hidden = Buffer.from(text.slice(name.length), "base64url");
  if (hidden.byteLength !== blockBytes) return null;
  const named = name === "" ? secrets : secrets.filter((one) => nameOf(one) === name);
  return named.map((secret) => numbersIn(hidden, secret)).find((numbers) => numbers !== null) ?? null;
}

function numbersIn(hidden: Buffer, secret: string): [first: number, second: number] | null {
  const decipher = createDecipheriv(algorithm, keyOf(secret), null).setAutoPadding(false);
  const block = Buffer.concat([decipher.update(hidden), decipher.final()]);
  const [first, second] = [block.readBigUInt64BE(0), block.readBigUInt64BE(blockBytes / 2)];
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  return first <= most && second <= most ? [Number(first), Number(second)] : null;
}
