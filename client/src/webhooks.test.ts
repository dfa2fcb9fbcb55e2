import { expect, it } from "vitest";
import { signDelivery, verifyDelivery } from "./webhooks.ts";

const secret = `whsec_${btoa("a".repeat(32))}`;
const body = '{"event":"invoice.paid"}';

it("verifies a string or bytes, with headers from Fetch, another library or Node's server", async () => {
  const now = Math.floor(Date.now() / 1000);
  const headers = {
    "webhook-id": "delivery-1",
    "webhook-timestamp": String(now),
    "webhook-signature": await signDelivery("delivery-1", now, body, secret),
  };
  const another = new Map(Object.entries(headers));
  const ofAnotherLibrary = { get: (name: string) => another.get(name) ?? null };
  for (const given of [headers, new Headers(headers), ofAnotherLibrary]) {
    for (const raw of [body, new TextEncoder().encode(body)]) {
      expect(await verifyDelivery(raw, given, secret)).toEqual(JSON.parse(body));
    }
  }
});
