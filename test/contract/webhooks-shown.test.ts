import { describe, expect, it } from "vitest";
import type {
  WebhookDeliveryInFull,
  WebhookEndpoint,
  WebhookHealth,
} from "../../src/contract/workspace/webhooks.ts";
import { type FilledWorkspace, insert, makeFilledWorkspace, sql, update } from "../database/workspace.ts";
import { admin, refusal } from "../support/admin.ts";

/** What admins see of endpoints and deliveries at its edges, on rows written by plain SQL. */

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

/** A delivery of a new event to the workspace's one endpoint. */
async function delivery(
  { organizationId }: FilledWorkspace,
  values: { status: string; created_at?: string; settled_at?: string; failed_at?: string },
) {
  const event_id = await insert("events", {
    organization_id: organizationId,
    event: "invoice.sent",
    subject_id: crypto.randomUUID(),
    payload: "{}",
  });
  const [made] = await sql<{ id: string }>("SELECT id FROM webhook_deliveries WHERE event_id = ?", event_id);
  const id = String(made?.id);
  await update("webhook_deliveries", id, values);
  return id;
}

describe("specification 6: health figures", () => {
  it("count what was delivered or failed in the last 24 hours and nothing older", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.endpoint();
    for (const hours of [23, 25]) {
      await delivery(here, { status: "delivered", settled_at: hoursAgo(hours) });
      await delivery(here, { status: "dead", settled_at: hoursAgo(hours), failed_at: hoursAgo(hours) });
      await delivery(here, { status: "pending", failed_at: hoursAgo(hours) });
    }
    expect(await admin<WebhookHealth>(here, "webhook-health", { id })).toMatchObject({
      delivered_24h: 1,
      failed_24h: 2,
      dead_letters: 2,
    });
  });

  it("give the age of the oldest of several pending deliveries", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.endpoint();
    for (const hours of [1, 3, 2]) await delivery(here, { status: "pending", created_at: hoursAgo(hours) });
    const health = await admin<WebhookHealth>(here, "webhook-health", { id });
    expect(health.pending_backlog).toBe(3);
    expect(Math.floor((health.oldest_pending_age_seconds ?? 0) / 3600)).toBe(3);
  });
});

it("show-webhook-delivery lists attempts oldest first, also when a replay counts from 1 again", async () => {
  const here = await makeFilledWorkspace();
  await here.endpoint();
  const id = await delivery(here, { status: "pending" });
  for (const [attempt_number, hours] of [
    [1, 9],
    [2, 8],
    [1, 7],
  ] as const) {
    await sql(
      `INSERT INTO webhook_attempts (organization_id, delivery_id, attempt_number, attempted_at, latency_ms)
       VALUES (?, ?, ?, ?, 5)`,
      here.organizationId,
      id,
      attempt_number,
      hoursAgo(hours),
    );
  }
  const { attempt_log } = await admin<WebhookDeliveryInFull>(here, "show-webhook-delivery", { id });
  expect(attempt_log.map(({ attempt_number }) => attempt_number)).toEqual([1, 2, 1]);
});

it("list-webhook-deliveries calls a pending delivery held only while it is due at no time", async () => {
  const here = await makeFilledWorkspace();
  const id = await here.endpoint();
  await delivery(here, { status: "pending" });
  const held = async () =>
    (await admin<{ held: boolean }[]>(here, "list-webhook-deliveries")).map((listed) => listed.held);
  expect(await held()).toEqual([false]);
  await admin(here, "disable-webhook-endpoint", { id });
  expect(await held()).toEqual([true]);
});

it("rotate-webhook-secret without overlap leaves no previous secret", async () => {
  const here = await makeFilledWorkspace();
  const id = await here.endpoint();
  await admin(here, "rotate-webhook-secret", { id, overlap_hours: "0" });
  expect(await admin(here, "list-webhook-endpoints")).toMatchObject([{ previous_secret_expires_at: null }]);
});

it("rotate-webhook-secret takes an overlap of half an hour", async () => {
  const here = await makeFilledWorkspace();
  const id = await here.endpoint();
  const rotated = await admin<WebhookEndpoint>(here, "rotate-webhook-secret", { id, overlap_hours: "0.5" });
  const overlapSeconds = (Date.parse(rotated.previous_secret_expires_at ?? "") - Date.now()) / 1000;
  expect(overlapSeconds).toBeGreaterThan(1800 - 60);
  expect(overlapSeconds).toBeLessThanOrEqual(1800 + 1);
});

it.each(["webhook-health", "rotate-webhook-secret", "enable-webhook-endpoint", "disable-webhook-endpoint"])(
  "%s does not find an endpoint that is deleted",
  async (operation) => {
    const here = await makeFilledWorkspace();
    const id = await here.endpoint();
    await admin(here, "delete-webhook-endpoint", { id });
    const before = await sql("SELECT * FROM webhook_endpoints WHERE id = ?", id);
    expect((await refusal(here, operation, { id })).message).toBe(
      `There is no webhook endpoint ${id} in this workspace`,
    );
    expect(await sql("SELECT * FROM webhook_endpoints WHERE id = ?", id)).toEqual(before);
  },
);

it.each(["enable", "disable"])(
  "%s-webhook-endpoint of one that stands so already logs nothing",
  async (step) => {
    const here = await makeFilledWorkspace();
    const id = await here.endpoint(null, { enabled: Number(step === "enable") });
    const updated_at = "2026-01-31T09:30:00.000Z";
    await update("webhook_endpoints", id, { updated_at });
    expect(await admin(here, `${step}-webhook-endpoint`, { id })).toMatchObject({ id, updated_at });
    expect(await admin(here, "audit-log")).toEqual([]);
  },
);
