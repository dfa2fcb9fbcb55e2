import { env } from "cloudflare:workers";
import { verify as verifyLegacy } from "@octokit/webhooks-methods";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, inject, it } from "vitest";
import { webhookEvents } from "../../src/webhooks/events.ts";
import { admin } from "../support/admin.ts";
import { call } from "../support/partner.ts";
import {
  arrived,
  deliveriesOf,
  draftInvoices,
  makeDue,
  minute,
  openBySql,
  type Received,
  recordEvents,
  register,
  retryNow,
  settled,
} from "../support/webhooks.ts";
import { makeWorkspace } from "../support/workspace.ts";

async function verifyThrice({ body, headers }: Received, secret: string) {
  new StandardWebhook(secret).verify(body, headers);
  new SvixWebhook(secret).verify(body, headers);
  const legacy = (headers["x-svc-signature"] ?? "").split(",");
  const accepted = await Promise.all(legacy.map((signature) => verifyLegacy(secret, body, signature)));
  if (!accepted.includes(true)) throw new Error("no legacy signature is valid");
}

const seconds = (milliseconds: number) => milliseconds / 1000;

describe("the sender [W14, W18]", () => {
  it("delivers an event from plain SQL in the next cron run, with its feed id and valid signatures [F5]", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace);
    const [invoiceId] = await draftInvoices(workspace, 1);
    await openBySql([invoiceId as string]);
    await minute();
    const [request] = await arrived(endpoint);
    if (!request) throw new Error("nothing arrived");
    await verifyThrice(request, endpoint.secret);
    const [delivery] = await settled(endpoint);
    const feed = await call(workspace, "/api-v1/events?types=invoice.sent");
    const [event] = (await feed.json<{ data: { id: string }[] }>()).data;
    expect(delivery).toMatchObject({
      status: "delivered",
      attempts: 1,
      event: "invoice.sent",
      next_attempt_at: null,
    });
    expect(request).toMatchObject({
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": delivery?.id,
        "webhook-event-id": event?.id,
        "x-svc-delivery-id": delivery?.id,
        "x-svc-event": "invoice.sent",
        "x-svc-attempt": "1",
      },
    });
    expect(request.headers).not.toHaveProperty("x-svc-test");
    expect(
      Math.abs(seconds(Date.parse(request.receivedAt)) - Number(request.headers["webhook-timestamp"])),
    ).toBeLessThan(5);
    const payload = webhookEvents["invoice.sent"].payload.parse(JSON.parse(request.body));
    expect(payload).toEqual(JSON.parse(request.body));
    expect(payload).toMatchObject({ data: { invoice_id: invoiceId, total: 125.5 } });
  });

  it("normalizes the URL like a browser [T14]", async () => {
    const workspace = await makeWorkspace();
    const base = inject("receivers").http.replace("http://127.0.0.1", "HTTP://127.1");
    const endpoint = await register(workspace, "a/../status/200/é", { base });
    await recordEvents(workspace, 1);
    await minute();
    const path = endpoint.path.replace("/a/../", "/").replace("é", "%C3%A9");
    expect(await arrived({ ...endpoint, path })).toHaveLength(1);
    expect(await settled(endpoint)).toMatchObject([{ status: "delivered" }]);
  });

  it("delivers an admin operation's event at once, without waiting for the cron", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace);
    const latencies: number[] = [];
    for (const [index, id] of (await draftInvoices(workspace, 15)).entries()) {
      const startedMs = Date.now();
      await admin(workspace, "issue-invoice", { id });
      await arrived(endpoint, index + 1);
      latencies.push(Date.now() - startedMs);
    }
    latencies.sort((a, b) => a - b);
    // A second, plus five for a busy machine.
    expect(latencies[7]).toBeLessThan(1_000 + 5_000);
  });

  it("sends the same id and bytes with every attempt", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace, "sequence/500,503,200");
    await recordEvents(workspace, 1);
    await minute();
    await settled(endpoint);
    await retryNow(endpoint, 2);
    const [delivery] = await retryNow(endpoint, 3);
    expect(delivery).toMatchObject({ status: "delivered", attempts: 3 });
    const requests = await arrived(endpoint, 3);
    expect(requests.map(({ headers }) => headers["x-svc-attempt"])).toEqual(["1", "2", "3"]);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([delivery?.id]));
    for (const request of requests) await verifyThrice(request, endpoint.secret);
  });

  it("delivers all events, or only those of the subscribed names and categories [W13]", async () => {
    const workspace = await makeWorkspace();
    const all = await register(workspace);
    const money = await register(workspace, "status/200", { events: "money" });
    const paid = await register(workspace, "status/200", { events: "invoice.paid,delivery" });
    const [id] = await draftInvoices(workspace, 1);
    await admin(workspace, "issue-invoice", { id });
    await admin(workspace, "record-payment", { invoice: id, amount: 25.5, collected_via: "offline" });
    const events = async (endpoint: typeof all, count: number) =>
      (await arrived(endpoint, count)).map(({ headers }) => headers["x-svc-event"]).sort();
    expect(await events(all, 2)).toEqual(["invoice.paid", "invoice.sent"]);
    expect(await events(money, 2)).toEqual(["invoice.paid", "invoice.sent"]);
    expect(await events(paid, 1)).toEqual(["invoice.paid"]);
    expect(await deliveriesOf(paid)).toHaveLength(1);
  });

  it("makes only one attempt for a message that arrives twice or late", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace);
    await recordEvents(workspace, 1);
    await minute();
    const [delivery] = await settled(endpoint);
    const message = { id: delivery?.id, lease: "2020-01-01T00:00:00.000Z" };
    await env.WEBHOOK_DELIVERIES.sendBatch([{ body: message }, { body: message }, { body: "garbage" }]);
    await recordEvents(workspace, 1);
    await minute();
    await arrived(endpoint, 2);
    await settled(endpoint);
    expect(await arrived(endpoint, 2)).toHaveLength(2);
  });

  it("sends a delivery whose queue message was lost as soon as the lease ends", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace);
    await recordEvents(workspace, 1);
    const leaseEnds = new Date(Date.now() + 30_000).toISOString();
    await env.DB.prepare("UPDATE webhook_deliveries SET next_attempt_at = ? WHERE endpoint_id = ?")
      .bind(leaseEnds, endpoint.id)
      .run();
    await minute();
    expect(await deliveriesOf(endpoint)).toMatchObject([{ attempts: 0, next_attempt_at: leaseEnds }]);
    await makeDue(endpoint);
    await minute();
    expect(await settled(endpoint)).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });
});

describe("secret rotation [W11]", () => {
  it("signs with both secrets during the overlap, the new one first", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace);
    const deliverOne = async (count: number) => {
      await recordEvents(workspace, 1);
      await minute();
      return (await arrived(endpoint, count))[count - 1] as Received;
    };
    const rotated = await admin<{ secret: string; previous_secret_expires_at: string }>(
      workspace,
      "rotate-webhook-secret",
      { id: endpoint.id },
    );
    expect(rotated.secret).not.toBe(endpoint.secret);
    const overlapHours = seconds(Date.parse(rotated.previous_secret_expires_at) - Date.now()) / 3600;
    expect(overlapHours).toBeCloseTo(24, 1);

    const during = await deliverOne(1);
    await verifyThrice(during, rotated.secret);
    await verifyThrice(during, endpoint.secret);
    const [newest, previous] = (during.headers["webhook-signature"] ?? "").split(" ");
    const only = (signature?: string) => ({
      ...during.headers,
      "webhook-signature": signature ?? "",
    });
    new StandardWebhook(rotated.secret).verify(during.body, only(newest));
    new StandardWebhook(endpoint.secret).verify(during.body, only(previous));
    expect(during.headers["x-svc-signature"]).toMatch(/^sha256=[0-9a-f]{64},sha256=[0-9a-f]{64}$/);

    await env.DB.prepare(
      "UPDATE webhook_endpoints SET previous_secret_expires_at = '2020-01-01T00:00:00.000Z' WHERE id = ?",
    )
      .bind(endpoint.id)
      .run();
    const after = await deliverOne(2);
    await verifyThrice(after, rotated.secret);
    await expect(verifyThrice(after, endpoint.secret)).rejects.toThrow();
    expect(after.headers["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]+=*$/);
    expect(after.headers["x-svc-signature"]).toMatch(/^sha256=[0-9a-f]{64}$/);
  });
});
