import { describe, expect, it } from "vitest";
import { decrypt, encrypt } from "./encryption.ts";

const newKey = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

describe("secrets at rest", () => {
  it("decrypts what it encrypted", async () => {
    const key = newKey();
    expect(await decrypt(key, "row", await encrypt(key, "row", secret))).toBe(secret);
  });

  it("never encrypts the same secret to the same text, and shows nothing of it", async () => {
    const key = newKey();
    const [first, second] = [await encrypt(key, "row", secret), await encrypt(key, "row", secret)];
    expect(first).not.toBe(second);
    expect(first).toMatch(/^v1\.[A-Za-z0-9+/]+=*$/);
    expect(first).not.toContain(secret.slice(6));
  });

  it("does not decrypt with another key, for another row, altered, cut or in another version", async () => {
    const key = newKey();
    const encrypted = await encrypt(key, "row", secret);
    const altered = Buffer.from(encrypted.slice(3), "base64");
    altered[20] = (altered[20] ?? 0) ^ 1;
    await expect(decrypt(newKey(), "row", encrypted)).rejects.toThrow();
    await expect(decrypt(key, "another row", encrypted)).rejects.toThrow();
    await expect(decrypt(key, "row", `v1.${altered.toString("base64")}`)).rejects.toThrow();
    await expect(decrypt(key, "row", encrypted.slice(0, 20))).rejects.toThrow();
    await expect(decrypt(key, "row", "")).rejects.toThrow();
    await expect(decrypt(key, "row", encrypted.replace("v1.", "v2."))).rejects.toThrow("unknown version");
  });

  it("refuses a key of another length", async () => {
    await expect(encrypt("c2hvcnQ=", "row", secret)).rejects.toThrow("32 bytes");
  });
});
