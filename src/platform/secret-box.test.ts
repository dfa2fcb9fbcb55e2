import { describe, expect, it } from "vitest";
import { open, seal } from "./secret-box.ts";

const newKey = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

describe("secrets at rest", () => {
  it("opens what it sealed", async () => {
    const key = newKey();
    expect(await open(key, "row", await seal(key, "row", secret))).toBe(secret);
  });

  it("never seals the same secret to the same text, and shows nothing of it", async () => {
    const key = newKey();
    const [first, second] = [await seal(key, "row", secret), await seal(key, "row", secret)];
    expect(first).not.toBe(second);
    expect(first).toMatch(/^v1\.[A-Za-z0-9+/]+=*$/);
    expect(first).not.toContain(secret.slice(6));
  });

  it("does not open with another key, for another row, altered, cut or in another version", async () => {
    const key = newKey();
    const sealed = await seal(key, "row", secret);
    const altered = Buffer.from(sealed.slice(3), "base64");
    altered[20] = (altered[20] ?? 0) ^ 1;
    await expect(open(newKey(), "row", sealed)).rejects.toThrow();
    await expect(open(key, "another row", sealed)).rejects.toThrow();
    await expect(open(key, "row", `v1.${altered.toString("base64")}`)).rejects.toThrow();
    await expect(open(key, "row", sealed.slice(0, 20))).rejects.toThrow();
    await expect(open(key, "row", "")).rejects.toThrow();
    await expect(open(key, "row", sealed.replace("v1.", "v2."))).rejects.toThrow("unknown version");
  });

  it("refuses a key of another length", async () => {
    await expect(seal("c2hvcnQ=", "row", secret)).rejects.toThrow("32 bytes");
  });
});
