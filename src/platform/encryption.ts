/**
 * Keeps webhook secrets unreadable in the database: AES-256-GCM, bound to the id of the row they belong to, so that a
 * ciphertext moved to another row does not decrypt. Text form: `v1.` + base64 of the 12-byte nonce and the ciphertext.
 */
const version = "v1.";

/** The nonce size that GCM is made for (NIST SP 800-38D). */
const nonceBytes = 12;
const keyBytes = 32;

/** `key` is the base64 of 32 bytes. */
export async function encrypt(key: string, rowId: string, secret: string): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const encrypted = await crypto.subtle.encrypt(
    algorithm(nonce, rowId),
    await imported(key),
    utf8.encode(secret),
  );
  return version + Buffer.concat([nonce, new Uint8Array(encrypted)]).toString("base64");
}

/** Rejects when the text was encrypted with another key or for another row, or was altered. */
export async function decrypt(key: string, rowId: string, text: string): Promise<string> {
  if (!text.startsWith(version)) throw new Error("The encrypted secret has an unknown version");
  const bytes = Buffer.from(text.slice(version.length), "base64");
  const nonce = bytes.subarray(0, nonceBytes);
  const decrypted = await crypto.subtle.decrypt(
    algorithm(nonce, rowId),
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

/** Imported once per key text. The key itself is kept, not a promise: a promise belongs to one request. */
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
