import { describe, expect, it } from "vitest";
import { decrypt, encrypt, isOfNewestKey } from "./encryption.ts";

const newKey = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

describe("encryption at rest", () => {
  it("decrypts what it encrypted", async () => {
    const key = newKey();
    expect(await decrypt(key, "row", await encrypt(key, "row", secret))).toBe(secret);
  });

  it("encrypts a secret to a different ciphertext each time", async () => {
    const key = newKey();
    const [first, second] = [await encrypt(key, "row", secret), await encrypt(key, "row", secret)];
    expect(first).not.toBe(second);
    expect(first).toMatch(/^v2\.[0-9a-f]{8}\.[A-Za-z0-9+/]+=*$/);
    expect(first).not.toContain(secret.slice(6));
  });

  it("does not decrypt with another key, for another row, or if the ciphertext was altered, cut off or has another version", async () => {
    const key = newKey();
    const encrypted = await encrypt(key, "row", secret);
    const altered = Buffer.from(encrypted.split(".")[2] ?? "", "base64");
    altered[20] = (altered[20] ?? 0) ^ 1;
    await expect(decrypt(newKey(), "row", encrypted)).rejects.toThrow();
    await expect(decrypt(key, "another row", encrypted)).rejects.toThrow();
    const [id, likeIt] = ["0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10", "0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d11"];
    await expect(decrypt(key, likeIt, await encrypt(key, id, secret))).rejects.toThrow();
    await expect(decrypt(key, "row", `v1.${altered.toString("base64")}`)).rejects.toThrow();
    await expect(decrypt(key, "row", encrypted.slice(0, 20))).rejects.toThrow();
    await expect(decrypt(key, "row", "")).rejects.toThrow();
    await expect(decrypt(key, "row", encrypted.replace("v2.", "v3."))).rejects.toThrow("unknown version");
  });

  it("decrypts a ciphertext in the stored format: version, key name, then nonce, ciphertext and tag", async () => {
    const key = Buffer.from("0123456789abcdef0123456789abcdef").toString("base64");
    const text = "v2.2cf5e6ec.AAECAwQFBgcICQoLWo3IGbpHocnLrhTKktwJ6tlah/6yw8KHSbGN0Q==";
    expect(await decrypt(key, "row", text)).toBe("whsec_secret");
  });

  it("rejects a key that is not 32 bytes long", async () => {
    await expect(encrypt("c2hvcnQ=", "row", secret)).rejects.toThrow("32 bytes");
  });
});

describe("with two keys", () => {
  it("decrypts data encrypted with either key, and encrypts with the newest [O12]", async () => {
    const [old, fresh] = [newKey(), newKey()];
    const before = await encrypt(old, "row", secret);
    expect(await decrypt(`${fresh}, ${old}`, "row", before)).toBe(secret);
    const after = await encrypt(`${fresh},${old}`, "row", secret);
    expect(await decrypt(fresh, "row", after)).toBe(secret);
    await expect(decrypt(old, "row", after)).rejects.toThrow("a key that is not set");
    expect([isOfNewestKey(`${fresh},${old}`, before), isOfNewestKey(`${fresh},${old}`, after)]).toEqual([
      false,
      true,
    ]);
  });

  it("decrypts a ciphertext without a key name with either key", async () => {
    const [old, fresh] = [newKey(), newKey()];
    const unnamed = `v1.${(await encrypt(old, "row", secret)).split(".")[2]}`;
    expect(await decrypt(`${fresh},${old}`, "row", unnamed)).toBe(secret);
    await expect(decrypt(fresh, "row", unnamed)).rejects.toThrow();
    expect(isOfNewestKey(old, unnamed)).toBe(false);
  });
});
