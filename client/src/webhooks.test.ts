import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { PartnerApiError, WebhookVerificationError } from "./errors.ts";
import { signDelivery, verifyDelivery } from "./webhooks.ts";

const secretOf = (letter: string) => `whsec_${btoa(letter.repeat(32))}`;
const secret = secretOf("a");
const now = 1_769_851_800;
const body = '{"event":"invoice.paid","data":{"client_name":"Öster & Søn"}}';

const signed = async (by = secret, at = now) => ({
  "webhook-id": "delivery-1",
  "webhook-timestamp": String(at),
  "webhook-signature": await signDelivery("delivery-1", at, body, by),
});

const { "webhook-signature": ours } = await signed();

describe("verify", () => {
  it("gives the event of a delivery signed as the service signs it", async () => {
    const date = new Date(now * 1000);
    const headers = {
      "webhook-id": "delivery-1",
      "webhook-timestamp": String(now),
      "webhook-signature": new Webhook(secret).sign("delivery-1", date, body),
    };
    expect(headers).toEqual(await signed());
    expect(await verifyDelivery(body, headers, secret, now)).toEqual(JSON.parse(body));
    const bytes = new TextEncoder().encode(body);
    const another = new Map(Object.entries(headers));
    const ofAnotherLibrary = { get: (name: string) => another.get(name) ?? null };
    for (const given of [new Headers(headers), ofAnotherLibrary]) {
      expect(await verifyDelivery(bytes, given, secret, now)).toEqual(JSON.parse(body));
    }
  });

  it("takes either signature of a rotation, with either secret, whatever schemes stand beside them", async () => {
    const [old, fresh] = [secretOf("o"), secretOf("n")];
    const signatures = await Promise.all(
      [fresh, old].map(async (held) => (await signed(held))["webhook-signature"]),
    );
    const both = { ...(await signed()), "webhook-signature": `v2,abc ${signatures.join(" ")}` };
    for (const held of [old, fresh, [fresh, old], [secret, old]]) {
      expect(await verifyDelivery(body, both, held, now)).toEqual(JSON.parse(body));
    }
    await expect(verifyDelivery(body, both, secret, now)).rejects.toThrow(WebhookVerificationError);
  });

  it.each([
    ["another body", { body: `${body} ` }],
    ["another secret", { by: secretOf("b") }],
    ["another id", { headers: { "webhook-id": "delivery-2" } }],
    ["another time", { headers: { "webhook-timestamp": String(now - 1) } }],
    ["301 s old", { at: now - 301 }],
    ["301 s ahead", { at: now + 301 }],
    ["a part of a second", { at: now + 0.5 }],
    ["no time", { headers: { "webhook-timestamp": "yesterday" } }],
    ["no signature", { headers: { "webhook-signature": "" } }],
    ["a signature that is no base64", { headers: { "webhook-signature": "v1,!!!" } }],
    ["our signature as one of another scheme", { headers: { "webhook-signature": `v2${ours.slice(2)}` } }],
    ["a signature of another scheme", { headers: { "webhook-signature": "v1a,AAAA" } }],
  ])("refuses %s", async (_, { body: given = body, by, at, headers = {} }: Forgery) => {
    const all = { ...(await signed(by, at)), ...headers };
    const error = await verifyDelivery(given, all, secret, now).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(error).toBeInstanceOf(PartnerApiError);
    expect(error).toMatchObject({ name: "WebhookVerificationError", retryable: false });
  });

  it("says what is wrong about a time, and which header is missing", async () => {
    const problemAt = async (at: number) => verifyDelivery(body, await signed(secret, at), secret, now);
    await expect(problemAt(now - 301)).rejects.toThrow("webhook-timestamp is too old");
    await expect(problemAt(now + 301)).rejects.toThrow("webhook-timestamp is in the future or no number");
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
      for (const value of [undefined, ""]) {
        const headers = { ...(await signed()), [name]: value };
        const missing = new WebhookVerificationError(`${name} is missing`);
        await expect(verifyDelivery(body, headers, secret, now)).rejects.toThrow(missing);
      }
    }
  });

  it.each([now - 300, now + 300])("takes a delivery of %i", async (at) => {
    expect(await verifyDelivery(body, await signed(secret, at), secret, now)).toEqual(JSON.parse(body));
  });

  it("says of a secret that it is none", async () => {
    for (const none of ["whsec_!", "whsec_", btoa("a")]) {
      await expect(verifyDelivery(body, await signed(), none, now)).rejects.toThrow(TypeError);
    }
  });
});

interface Forgery {
  body?: string;
  by?: string;
  at?: number;
  headers?: Record<string, string>;
}
