import { CompactSign, importJWK, type JWK } from "jose";

/**
 * Signs facts so that anyone can verify them offline (docs/sign-off-proof.md): compact JWS, EdDSA over Ed25519. The
 * keys are a JWK set: the first one signs; older ones follow and stay published, with or without their private half.
 */
const algorithm = "EdDSA";

/** Distinguishes our proofs from any other signed JWS (RFC 8725, 3.11). */
export const proofType = "sign-off+jws";

interface SigningKey extends JWK {
  kid: string;
}

function keysOf(keySet: string): SigningKey[] {
  const { keys = [] }: { keys?: SigningKey[] } = JSON.parse(keySet);
  const isKey = ({ kty, crv, x, kid }: SigningKey) => kty === "OKP" && crv === "Ed25519" && x && kid;
  if (!keys[0]?.d || !keys.every(isKey)) {
    throw new Error("SIGN_OFF_KEYS must be a JWK set of Ed25519 keys with kid, the first one private");
  }
  return keys;
}

/** Returns the set published at /.well-known/jwks.json, which has only the keys' public halves. */
export const publishedKeys = (keySet: string) => ({
  keys: keysOf(keySet).map(({ kty, crv, x, kid }) => ({ kty, crv, x, kid, use: "sig", alg: algorithm })),
});

/** Creates the proof of some facts. The same facts and key always give the same proof. */
export async function proofOf(keySet: string, facts: object): Promise<string> {
  const { kid, kty, crv, x, d } = keysOf(keySet)[0] as SigningKey;
  const payload = new TextEncoder().encode(JSON.stringify(facts));
  const key = await importJWK({ kty, crv, x, d }, algorithm);
  return new CompactSign(payload).setProtectedHeader({ alg: algorithm, kid, typ: proofType }).sign(key);
}
