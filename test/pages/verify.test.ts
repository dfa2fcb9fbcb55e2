import { env, exports } from "cloudflare:workers";
import { CompactSign, importJWK } from "jose";
import { describe, expect, it } from "vitest";
import { reviewLimits } from "../../src/contract/review-limits.ts";
import { admin } from "../support/admin.ts";
import { contentTypes, images } from "../support/images.ts";
import { baseUrl, call } from "../support/partner.ts";
import { mailedKey, makeReview, Reviewer } from "../support/reviewer.ts";
import { newSession, sessionCookie } from "../support/settings.ts";
import { wordsOf } from "../support/words.ts";

const signedProof = async (fields: object) => {
  const { studio, id, visitor } = await makeReview(fields);
  await admin(studio, "sign-off-deliverable", { deliverable: id, signer_name: "Nora <Wind>" });
  const answer = await call(studio, `/api-v1/deliverables/${id}/sign-off`);
  const { proof } = await answer.json<{ proof: string }>();
  return { proof, visitor, studio, id };
};

/** Posts the form like a browser without JavaScript, from a unique IP address. */
function check(proof: string, image?: string) {
  const form = new FormData();
  form.set("proof", proof);
  if (image)
    form.set("image", new File([Uint8Array.fromBase64(image)], "work.png", { type: contentTypes.png }));
  return send(form);
}

async function send(form: FormData): Promise<{ status: number; verdict: string }> {
  const answer = await exports.default.fetch(`${baseUrl}/verify`, {
    method: "POST",
    headers: {
      origin: "null",
      "sec-fetch-site": "same-origin",
      "cf-connecting-ip": `198.51.100.${Math.floor(Math.random() * 256)}`,
    },
    body: form,
  });
  const [, verdict = ""] = (await answer.text()).split(/data-verdict|<section[^>]*help-heading/);
  return { status: answer.status, verdict: wordsOf(verdict.slice(verdict.indexOf(">") + 1)) };
}

describe("POST /verify", () => {
  it("shows the signed work, the signer and whether the image matches [P23]", async () => {
    const { proof, visitor } = await signedProof({ embed_url: undefined, image_base64: images.png });
    const file = await visitor.fetch(`${visitor.path}/certificate/proof.jws`);
    expect([file.status, await file.text()]).toEqual([200, proof]);
    const wrapped = proof.replaceAll(/.{60}/g, "$&\r\n");
    for (const text of [proof, ` ${wrapped} `]) {
      const { status, verdict } = await check(text);
      expect(status).toBe(200);
      expect(verdict).toMatch(/Genuine and unchanged Nora <Wind> accepted version 1 of Homepage concept/);
      expect(verdict).not.toContain("image");
    }
    expect((await check(proof, images.png)).verdict).toContain("The image is the one that was signed off");
    expect((await check(proof, images.gif)).verdict).toContain("Not the image that was signed off");
  });

  it("has no image check for a proof without an image [P23]", async () => {
    const { proof } = await signedProof({});
    expect((await check(proof, images.png)).verdict).toContain("does not say which image");
  });

  it("accepts the proof as a file", async () => {
    const { proof } = await signedProof({});
    const form = new FormData();
    form.set("proof", "");
    form.set("proof_file", new File([`${proof}\n`], "sign-off.jws"));
    expect((await send(form)).verdict).toContain("Genuine and unchanged");
  });

  it("rejects an altered proof, another key's proof and any other text [P23]", async () => {
    const { proof } = await signedProof({});
    const [head = "", body = "", signature = ""] = proof.split(".");
    const facts = JSON.parse(Buffer.from(body, "base64url").toString());
    const forged = Buffer.from(JSON.stringify({ ...facts, signer_name: "Mallory" })).toString("base64url");
    const key = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
    const own = await crypto.subtle.sign(
      "Ed25519",
      (key as CryptoKeyPair).privateKey,
      Buffer.from(`${head}.${body}`),
    );
    const [jwk] = JSON.parse(env.SIGN_OFF_KEYS).keys;
    const otherType = await new CompactSign(Buffer.from(body, "base64url"))
      .setProtectedHeader({ alg: "EdDSA", kid: jwk.kid, typ: "JWT" })
      .sign(await importJWK(jwk, "EdDSA"));
    for (const [text, said] of [
      [`${head}.${forged}.${signature}`, "Not genuine"],
      [`${head}.${body}.${Buffer.from(own).toString("base64url")}`, "Not genuine"],
      [otherType, "This is not a proof"],
      [`${head}.${body}`, "This is not a proof"],
      ["no proof", "This is not a proof"],
      ["", "This is not a proof"],
      ["x".repeat(200_000), "This is not a proof"],
    ] as const) {
      const { status, verdict } = await check(text);
      expect([status, verdict]).toEqual([400, expect.stringContaining(said)]);
    }
  });

  it("limits a form's size, concurrent large forms, and forms per sender and minute [P23, N14]", async () => {
    const send = (body: BodyInit, address: string) =>
      exports.default.fetch(`${baseUrl}/verify`, {
        method: "POST",
        headers: { origin: "null", "sec-fetch-site": "same-origin", "cf-connecting-ip": address },
        body,
      });
    const large = await send(new Uint8Array(reviewLimits.verifyBytes + 1), "198.51.100.1");
    expect(large.status).toBe(413);
    const { readable, writable } = new TransformStream();
    const slow = send(readable, "198.51.100.2");
    const writer = writable.getWriter();
    await writer.write(new TextEncoder().encode("proof=x"));
    const image = new Uint8Array(10 * 1024 * 1024);
    const beside = await send(image, "198.51.100.3");
    expect([beside.status, beside.headers.get("retry-after")]).toEqual([429, "1"]);
    await writer.close();
    expect([(await slow).status, (await send(image, "198.51.100.3")).status]).toEqual([400, 400]);
    const answers: number[] = [];
    for (let count = 0; count < 200 && answers.at(-1) !== 429; count++)
      answers.push((await send(new URLSearchParams({ proof: "x" }), "192.0.2.77")).status);
    expect(answers.at(-1)).toBe(429);
  });
});

describe("the URL on the printed certificate", () => {
  const image = /<img[^>]* src="(\/verify\/[^"]+\/image)"/;

  it("shows the proof's facts, and the picture only to the agency and visitors with a key [P23]", async () => {
    const { studio, id, visitor } = await signedProof({ embed_url: undefined, image_base64: images.png });
    const certificate = await visitor.read("/certificate");
    const [, path = ""] = /QR code of https?:\/\/[^/]+(\/verify\/[^"]+)"/.exec(certificate) ?? [];
    const stranger = new Reviewer(baseUrl + visitor.path);
    const page = await (await stranger.fetch(path)).text();
    expect(wordsOf(page)).toMatch(/Genuine and unchanged Nora <Wind> accepted version 1 of Homepage concept/);
    expect([image.test(page), page.includes(visitor.path)]).toEqual([false, false]);
    const client = new Reviewer(baseUrl + visitor.path);
    await client.fetch(`${visitor.path}/${await mailedKey(id)}`);
    const agency = new Reviewer(baseUrl + visitor.path);
    agency.bring(sessionCookie, await newSession(studio.ownerEmail));
    for (const seer of [client, agency]) {
      const [, picture = ""] = image.exec(await (await seer.fetch(path)).text()) ?? [];
      expect((await seer.fetch(picture)).headers.get("content-type")).toBe("image/png");
      expect((await stranger.fetch(picture)).status).toBe(404);
    }
    const { studio: its, proof } = await signedProof({});
    agency.bring(sessionCookie, await newSession(its.ownerEmail));
    const embedded = await agency.fetch("/verify", { method: "POST", body: new URLSearchParams({ proof }) });
    expect(await embedded.text()).toMatch(/Genuine and unchanged(?!.*<img[^>]* src=)/s);
  });

  it("returns 404 for an unknown sign-off", async () => {
    for (const path of [crypto.randomUUID(), `${crypto.randomUUID()}/image`, "x"])
      expect((await exports.default.fetch(`${baseUrl}/verify/${path}`)).status).toBe(404);
  });
});

it("GET /verify works without JavaScript, and with JavaScript reads the published keys [P23]", async () => {
  const answer = await exports.default.fetch(`${baseUrl}/verify`);
  const page = await answer.text();
  expect(answer.status).toBe(200);
  expect(page).toContain('<form method="post" action="/verify" enctype="multipart/form-data"');
  expect(answer.headers.get("content-security-policy")).toMatch(/script-src 'self'; connect-src 'self'/);
});
