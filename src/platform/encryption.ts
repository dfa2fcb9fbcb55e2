import { sha256Hex } from "./digest.ts";

/**
 * Encrypts webhook secrets in the database with AES-256-GCM, bound to the row's id so that a ciphertext does
 * not decrypt in another row. Format: `v2.`, the key's name, base64 of nonce and ciphertext (`v1.` has no key
 * name). Keys: base64 of 32 bytes each, newest first, separated by commas.
 */
const version = "v2.";
const withoutKeyName = "v1.";

/** The nonce size that GCM is designed for (NIST SP 800-38D). */
const nonceBytes = 12;
const keyBytes = 32;
const keyNameCharacters = 8;

const keysIn = (keys: string): string[] => keys.split(",").map((key) => key.trim());

/** Identifies a key by the start of its digest. */
const nameOf = (key: string): string => sha256Hex(key).slice(0, keyNameCharacters);

/** Encrypts with the newest key. */
export async function encrypt(keys: string, rowId: string, secret: string): Promise<string> {
  const [key = ""] = keysIn(keys);
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const encrypted = await crypto.subtle.encrypt(
    algorithm(nonce, rowId),
    await imported(key),
    utf8.encode(secret),
  );
  const bytes = Buffer.concat([nonce, new Uint8Array(encrypted)]);
  return `${version}${nameOf(key)}.${bytes.toString("base64")}`;
}

/** Throws if none of the keys encrypted the string, or if it was altered or belongs to another row. */
export async function decrypt(keys: string, rowId: string, text: string): Promise<string> {
  if (text.startsWith(withoutKeyName))
    return decryptUnnamed(keysIn(keys), rowId, text.slice(withoutKeyName.length));
  const [, name, base64 = ""] = /^v2\.([0-9a-f]{8})\.(.*)$/.exec(text) ?? [];
  if (name === undefined) throw new Error("The encrypted secret has an unknown version");
  const key = keysIn(keys).find((each) => nameOf(each) === name);
  if (key === undefined) throw new Error(`The secret was encrypted with a key that is not set: ${name}`);
  return decryptWith(key, rowId, base64);
}

export const isOfNewestKey = (keys: string, text: string): boolean =>
  text.startsWith(`${version}${nameOf(keysIn(keys)[0] ?? "")}.`);

async function decryptUnnamed(keys: readonly string[], rowId: string, base64: string): Promise<string> {
  let failure: unknown = new Error("There is no key");
  for (const key of keys) {
    try {
      return await decryptWith(key, rowId, base64);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function decryptWith(key: string, rowId: string, base64: string): Promise<string> {
  const bytes = Buffer.from(base64, "base64");
  const decrypted = await crypto.subtle.decrypt(
    algorithm(bytes.subarray(0, nonceBytes), rowId),
    await imported(key),
    bytes.subarray(nonceBytes),
  );
  return new TextDecoder().decode(decrypted);
}

const utf8 = new TextEncoder();

const algorithm = (iv: Uint8Array, rowId: string) => ({
  name: "AES-GCM",
  iv,
  additionalData: utf8.encode(rowId),
});

/** Caches imported keys. Promises are not cached, because a promise belongs to one request. */
const importedKeys = new Map<string, CryptoKey>();

async function imported(text: string): Promise<CryptoKey> {
  const known = importedKeys.get(text);
  if (known) return known;
  const bytes = Buffer.from(text, "base64");
  if (bytes.length !== keyBytes)
    throw new Error(`The key of the secrets must be the base64 of ${keyBytes} bytes`);
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  importedKeys.set(text, key);
  return key;
}
