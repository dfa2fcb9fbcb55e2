import { verify as verifyLegacy } from "@octokit/webhooks-methods";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { type DeliveryToSign, deliveryHeaders, newSigningSecret, signingKeys } from "./sign.ts";

const delivery = async (...secrets: string[]): Promise<DeliveryToSign> => ({
  id: "8b4f0f2e-6a0e-4a53-9c2c-0f6f0a3d1c11",
  eventId: "2f0c4b6d-7e8a-4c1b-9d3e-5a6b7c8d9e0f",
  event: "invoice.paid",
  isTest: false,
  attempt: 3,
  timestampSeconds: Math.floor(Date.now() / 1000),
  body: '{"event":"invoice.paid","data":{"client_name":"Zoë & Søn"}}',
  keys: await Promise.all(secrets.map(signingKeys)),
});

/** Whether each of three client libraries verifies a delivery with a secret. */
async function verdicts(headers: Record<string, string>, body: string, secret: string) {
  const accepts = (verify: () => unknown) => {
    try {
      verify();
      return true;
    } catch {
      return false;
    }
  };
  const legacy = (headers["X-Svc-Signature"] ?? "").split(",");
  return {
    standardwebhooks: accepts(() => new StandardWebhook(secret).verify(body, headers)),
    svix: accepts(() => new SvixWebhook(secret).verify(body, headers)),
    octokit: (await Promise.all(legacy.map((signature) => verifyLegacy(secret, body, signature)))).includes(
      true,
    ),
  };
}

const all = { standardwebhooks: true, svix: true, octokit: true };
const none = { standardwebhooks: false, svix: false, octokit: false };

describe("a delivery's request headers [W8]", () => {
  it("name the delivery, the event and the attempt", async () => {
    const sent = await delivery(newSigningSecret());
    expect(await deliveryHeaders(sent)).toEqual({
      "content-type": "application/json",
      "user-agent": "Svc-Webhooks/1.0",
      "webhook-id": sent.id,
      "webhook-event-id": sent.eventId,
      "webhook-timestamp": String(sent.timestampSeconds),
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      "X-Svc-Delivery-Id": sent.id,
      "X-Svc-Event": "invoice.paid",
      "X-Svc-Attempt": "3",
      "X-Svc-Signature": expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    });
  });

  it("can be verified with standardwebhooks, svix and @octokit/webhooks-methods [W9]", async () => {
    const secret = newSigningSecret();
    const sent = await delivery(secret);
    expect(await verdicts(await deliveryHeaders(sent), sent.body, secret)).toEqual(all);
  });

  it("cannot be verified with another secret or another body", async () => {
    const secret = newSigningSecret();
    const sent = await delivery(secret);
    const headers = await deliveryHeaders(sent);
    expect(await verdicts(headers, sent.body, newSigningSecret())).toEqual(none);
    expect(await verdicts(headers, `${sent.body} `, secret)).toEqual(none);
  });

  it("are signed with both secrets during a rotation, the new one first, so that either secret verifies them", async () => {
    const [next, previous] = [newSigningSecret(), newSigningSecret()];
    const sent = await delivery(next, previous);
    const headers = await deliveryHeaders(sent);
    const [newer, older] = await Promise.all(
      sent.keys.map((key) => deliveryHeaders({ ...sent, keys: [key] })),
    );
    expect(headers["webhook-signature"]).toBe(
      `${newer?.["webhook-signature"]} ${older?.["webhook-signature"]}`,
    );
    expect(headers["X-Svc-Signature"]).toBe(`${newer?.["X-Svc-Signature"]},${older?.["X-Svc-Signature"]}`);
    for (const secret of [next, previous]) expect(await verdicts(headers, sent.body, secret)).toEqual(all);
    expect(await verdicts(headers, sent.body, newSigningSecret())).toEqual(none);
  });

  it("contain a Standard Webhooks signature over the id and the time", async () => {
    const secret = newSigningSecret();
    const sent = await delivery(secret);
    const headers = await deliveryHeaders(sent);
    const replayed = { ...headers, "webhook-timestamp": String(sent.timestampSeconds + 1) };
    const renamed = { ...headers, "webhook-id": crypto.randomUUID() };
    expect(await verdicts(replayed, sent.body, secret)).toEqual({ ...none, octokit: true });
    expect(await verdicts(renamed, sent.body, secret)).toEqual({ ...none, octokit: true });
  });
});

it("a new secret is whsec_ followed by 32 random bytes in base64 [W10]", () => {
  const secret = newSigningSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSigningSecret()).not.toBe(secret);
});
