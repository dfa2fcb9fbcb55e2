// Verify a client's sign-off offline.
// Pages: sign-off-proof.md, getDeliverableSignOff.md
import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { base, listAll, readJson } from "./connect.mjs";

let signed;
for await (const work of listAll("/api-v1/deliverables?review_state=approved")) signed ??= work;
const { proof, signer_name, version_number } = await readJson(`/api-v1/deliverables/${signed.id}/sign-off`);
const { keys } = await (await fetch(`${base}/.well-known/jwks.json`)).json();

function factsOf(jws) {
  const [header, payload, signature] = jws.split(".");
  const { kid, typ } = JSON.parse(Buffer.from(header, "base64url").toString());
  const key = createPublicKey({ key: keys.find((one) => one.kid === kid), format: "jwk" });
  const isGenuine = verify(
    null,
    Buffer.from(`${header}.${payload}`),
    key,
    Buffer.from(signature, "base64url"),
  );
  return isGenuine && typ === "sign-off+jws"
    ? JSON.parse(Buffer.from(payload, "base64url").toString())
    : null;
}
const facts = factsOf(proof);
assert.deepEqual([facts.signer_name, facts.version_number], [signer_name, version_number]);
const [header, payload, signature] = proof.split(".");
const forged = Buffer.from(JSON.stringify({ ...facts, signer_name: "Somebody else" })).toString("base64url");
assert.equal(factsOf([header, forged, signature].join(".")), null);
assert.notEqual(payload, forged);
console.log(`done: ${facts.signer_name} signed version ${facts.version_number} of “${facts.title}”`);
