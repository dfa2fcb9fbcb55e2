import { compactVerify, createLocalJWKSet, exportJWK, generateKeyPair } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { proofOf, publishedKeys } from "./signing.ts";

const facts = { deliverable_id: "4f5c0a3e", signer_name: "Ada Lovelace", version_number: 2 };

async function newKey(kid: string) {
  const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  return { ...(await exportJWK(privateKey)), kid };
}

let current: Awaited<ReturnType<typeof newKey>>;
let former: typeof current;
const keySet = (...keys: object[]) => JSON.stringify({ keys });

beforeAll(async () => {
  [current, former] = await Promise.all([newKey("2027"), newKey("2026")]);
});

const verify = async (proof: string, set: string) => {
  const { payload } = await compactVerify(proof, createLocalJWKSet(publishedKeys(set)));
  return JSON.parse(new TextDecoder().decode(payload));
};

describe("a sign-off proof", () => {
  it("can be verified with a JOSE library and the published keys", async () => {
    const set = keySet(current);
    expect(await verify(await proofOf(set, facts), set)).toEqual(facts);
  });

  it("is deterministic", async () => {
    const set = keySet(current);
    expect(await proofOf(set, facts)).toBe(await proofOf(set, facts));
  });

  it("stays valid after a key rotation, as long as the old public key is published", async () => {
    const { d: _, ...publicHalf } = former;
    const old = await proofOf(keySet(former), facts);
    for (const set of [keySet(current, former), keySet(current, publicHalf)]) {
      expect(await verify(old, set)).toEqual(facts);
      expect(await verify(await proofOf(set, facts), set)).toEqual(facts);
    }
    await expect(verify(old, keySet(current))).rejects.toThrow();
  });

  it("fails if any character is changed", async () => {
    const set = keySet(current);
    const proof = await proofOf(set, facts);
    // A signature's last character has bits that decoders may ignore.
    for (let at = 0; at < proof.length - 1; at += 1) {
      const changed = proof.slice(0, at) + (proof[at] === "A" ? "B" : "A") + proof.slice(at + 1);
      await expect(verify(changed, set), `character ${at}`).rejects.toThrow();
    }
  });

  it("can be verified with published keys that have no private part", () => {
    expect(JSON.stringify(publishedKeys(keySet(current, former)))).not.toMatch(/"d"/);
    expect(publishedKeys(keySet(current)).keys).toEqual([
      { kty: "OKP", crv: "Ed25519", x: current.x, kid: "2027", use: "sig", alg: "EdDSA" },
    ]);
  });

  it("has its own typ header, so that nothing else that the key signs passes as a proof", async () => {
    const proof = await proofOf(keySet(current), facts);
    const { protectedHeader } = await compactVerify(proof, createLocalJWKSet(publishedKeys(keySet(current))));
    expect(protectedHeader).toEqual({ alg: "EdDSA", kid: "2027", typ: "sign-off+jws" });
  });

  it.each([
    "{}",
    '{"keys":[]}',
    '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"A","d":"A"}]}',
    '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"A","kid":"1"}]}',
  ])("cannot be made with invalid keys: %s", async (set) => {
    await expect(proofOf(set, facts)).rejects.toThrow(/SIGN_OFF_KEYS/);
  });
});
