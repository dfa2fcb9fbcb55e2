import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { run } from "../../src/db/query.ts";
import { servicesOf } from "../../src/services.ts";
import type { WebhookDeliveryInFull } from "../../src/webhooks/deliveries/record.ts";
import type { WebhookEndpoint, WebhookHealth } from "../../src/webhooks/endpoints/record.ts";
import { deliveriesOverTime } from "../../src/webhooks/health/deliveries-over-time.ts";
import { notifyOwners } from "../../src/webhooks/health/notify-owners.ts";
import { admin, refusal } from "../support/admin.ts";
import {
  type FilledWorkspace,
  insert,
  makeFilledWorkspace,
  sql,
  update,
} from "../support/filled-workspace.ts";

/** Edge cases of the endpoints and deliveries that admins see, with rows inserted by SQL. */

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

async function delivery(
  { organizationId }: FilledWorkspace,
  values: { status: string; attempts?: number; created_at?: string; settled_at?: string; failed_at?: string },
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

describe("health figures [W28]", () => {
  it("count the deliveries and failures of the last 24 hours", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.endpoint();
    for (const hours of [23, 25]) {
      await delivery(here, { status: "delivered", settled_at: hoursAgo(hours) });
      await delivery(here, { status: "dead", settled_at: hoursAgo(hours), failed_at: hoursAgo(hours) });
      await delivery(here, { status: "pending", attempts: 1, failed_at: hoursAgo(hours) });
    }
    expect(await admin<WebhookHealth>(here, "webhook-health", { id })).toMatchObject({
      delivered_24h: 1,
      failed_24h: 2,
      dead_letters: 2,
    });
  });

  it("include the age of the oldest pending delivery", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.endpoint();
    for (const hours of [1, 3, 2]) await delivery(here, { status: "pending", created_at: hoursAgo(hours) });
    const health = await admin<WebhookHealth>(here, "webhook-health", { id });
    expect(health.pending_backlog).toBe(3);
    expect(Math.floor((health.oldest_pending_age_seconds ?? 0) / 3600)).toBe(3);
  });
});

it("health charts show the last 24 hours or 7 days, and each delivery is in one bar", async () => {
  const [here, there] = [await makeFilledWorkspace(), await makeFilledWorkspace()];
  const id = await here.endpoint();
  const [before, first, last] = ["01T09:59:59.999Z", "01T10:00:00.000Z", "02T09:29:00.000Z"].map(
    (time) => `2026-03-${time}`,
  ) as [string, string, string];
  for (const at of [before, first, last]) await delivery(here, { status: "delivered", settled_at: at });
  for (const at of [before, first]) await delivery(here, { status: "pending", attempts: 1, failed_at: at });
  await delivery(here, { status: "dead", settled_at: last, failed_at: last });
  const now = new Date("2026-03-02T09:30:00.000Z");
  const of = async (organizationId: string, period: "24h" | "7d") =>
    (await run(env.DB, deliveriesOverTime(organizationId, { endpointId: id, period, now }))).spans;
  const hours = await of(here.organizationId, "24h");
  expect(hours).toHaveLength(24);
  expect(hours.filter(({ delivered, failed, dead }) => delivered + failed + dead > 0)).toEqual([
    { at: "2026-03-01T10", delivered: 1, failed: 1, dead: 0 },
    { at: "2026-03-02T09", delivered: 1, failed: 0, dead: 1 },
  ]);
  const days = await of(here.organizationId, "7d");
  expect(days.map(({ at }) => at)[0]).toBe("2026-02-24");
  expect(days.slice(-2)).toEqual([
    { at: "2026-03-01", delivered: 2, failed: 2, dead: 0 },
    { at: "2026-03-02", delivered: 1, failed: 0, dead: 1 },
  ]);
  const theirs = await of(there.organizationId, "24h");
  expect(theirs.some(({ delivered, failed, dead }) => delivered + failed + dead > 0)).toBe(false);
});

it("health charts show each outcome in its hour, even after retries and replays [S6]", async () => {
  const here = await makeFilledWorkspace();
  const id = await here.endpoint();
  const now = new Date("2026-03-02T09:30:00.000Z");
  const [retried, gaveUp, arrived] = [
    "2026-03-02T05:00:00.000Z",
    "2026-03-02T06:00:00.000Z",
    "2026-03-02T09:00:00.000Z",
  ];
  const failed = await delivery(here, { status: "dead", attempts: 2, settled_at: gaveUp, failed_at: gaveUp });
  const good = await delivery(here, { status: "delivered", attempts: 1, settled_at: gaveUp });
  const attempt = (
    of: string,
    attempted_at: string | undefined,
    error_class: string | null,
    next: string | null,
  ) =>
    sql(
      `INSERT INTO webhook_attempts (organization_id, delivery_id, attempt_number, attempted_at, latency_ms, error_class,
        next_attempt_at) VALUES (?, ?, 1, ?, 5, ?, ?)`,
      ...[here.organizationId, of, attempted_at, error_class, next],
    );
  await attempt(failed, retried, "http_5xx", gaveUp ?? "");
  await attempt(failed, gaveUp, "http_4xx", null);
  await attempt(good, gaveUp, null, null);
  const shown = async () => {
    const { spans, now: totals } = await run(
      env.DB,
      deliveriesOverTime(here.organizationId, { endpointId: id, period: "24h", now }),
    );
    const bars = spans.filter(({ delivered, failed, dead }) => delivered + failed + dead > 0);
    return [bars.map(({ at, ...counts }) => [at.slice(11), ...Object.values(counts)]), Object.values(totals)];
  };
  const outage = [
    ["05", 0, 1, 0],
    ["06", 1, 0, 1],
  ];
  expect(await shown()).toEqual([outage, [1, 0, 1]]);
  await admin(here, "replay-webhook-deliveries", { endpoint: id, status: "all" });
  await sql("UPDATE webhook_deliveries SET replayed_at = ? WHERE endpoint_id = ?", arrived, id);
  expect(await shown()).toEqual([outage, [0, 0, 0]]);
  const health = await admin<WebhookHealth>(here, "webhook-health", { id });
  expect(health).toMatchObject({ failed_24h: 0, dead_letters: 0, pending_backlog: 2 });
  await sql(
    "UPDATE webhook_deliveries SET status = 'delivered', attempts = 1, settled_at = ? WHERE endpoint_id = ?",
    arrived,
    id,
  );
  for (const one of [failed, good]) await attempt(one, arrived, null, null);
  expect(await shown()).toEqual([
    [...outage, ["09", 2, 0, 0]],
    [2, 0, 0],
  ]);
});

describe("an e-mail about an endpoint", () => {
  const minutesAgo = (minutes: number) => hoursAgo(minutes / 60);
  const broken = { enabled: 0, disabled_reason: "circuit_breaker" };
  // Clears all workspaces' notices, because earlier tests may have left some.
  beforeEach(() => sql("UPDATE webhook_endpoints SET notice_due_at = NULL"));
  async function mailed(): Promise<unknown[]> {
    const to: unknown[] = [];
    const send = async (mail: EmailMessageBuilder) => ({ messageId: String(to.push(mail.to)) });
    const email = { send } as never;
    await notifyOwners({ ...servicesOf(env), email });
    return to;
  }

  it("is sent again five minutes after an unfinished run", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.endpoint(null, { ...broken, notice_due_at: minutesAgo(9) });
    for (const [minutes, mails] of [
      [4.5, 0],
      [5.5, 1],
    ] as const) {
      await update("webhook_endpoints", id, { notice_leased_at: minutesAgo(minutes) });
      expect(await mailed()).toEqual(Array(mails).fill(`owner@${here.organizationId}.example`));
    }
  });

  it("is retried if it fails, and others that were due at the same time are not repeated", async () => {
    const [told, failing] = [await makeFilledWorkspace(), await makeFilledWorkspace()];
    const notice_due_at = minutesAgo(9);
    for (const each of [told, failing]) await each.endpoint(null, { ...broken, notice_due_at });
    const address = `owner@${failing.organizationId}.example`;
    const send = async ({ to }: EmailMessageBuilder) => {
      if (to === address) throw new Error("E_TEMPORARY");
      return { messageId: "1" };
    };
    await expect(notifyOwners({ ...servicesOf(env), email: { send } as never })).rejects.toThrow();
    expect(await mailed()).toEqual([address]);
  });

  it("is sent in turns among the workspaces, oldest first [N16]", async () => {
    const [many, one] = [await makeFilledWorkspace(), await makeFilledWorkspace()];
    for (let count = 0; count < 50; count += 1)
      await many.endpoint(null, { ...broken, notice_due_at: minutesAgo(60) });
    await one.endpoint(null, { ...broken, notice_due_at: minutesAgo(1) });
    const to = await mailed();
    // An address gets at most 30 notices a day. A digest reports the others.
    const owners = [many, one].map(({ organizationId }) => `owner@${organizationId}.example`);
    expect([to.slice(0, 2), to.length]).toEqual([owners, 31]);
  });

  it("is sent last in the next cron run if it failed", async () => {
    const [failing, later] = [await makeFilledWorkspace(), await makeFilledWorkspace()];
    await failing.endpoint(null, { ...broken, notice_due_at: minutesAgo(60) });
    await later.endpoint(null, { ...broken, notice_due_at: minutesAgo(1) });
    const send = async () => {
      throw new Error("E_TEMPORARY");
    };
    const only = { ...servicesOf(env), email: { send } as never };
    await sql(
      "UPDATE webhook_endpoints SET notice_leased_at = ? WHERE organization_id = ?",
      hoursAgo(0),
      later.organizationId,
    );
    await expect(notifyOwners(only)).rejects.toThrow();
    await sql("UPDATE webhook_endpoints SET notice_leased_at = NULL");
    expect(await mailed()).toEqual(
      [later, failing].map(({ organizationId }) => `owner@${organizationId}.example`),
    );
  });
});

it("show-webhook-delivery lists attempts oldest first, even across a replay", async () => {
  const here = await makeFilledWorkspace();
  await here.endpoint();
  const id = await delivery(here, { status: "pending" });
  const other = await delivery(here, { status: "pending" });
  for (const [of, attempt_number, hours] of [
    [id, 1, 9],
    [id, 2, 8],
    [other, 3, 8],
    [id, 1, 7],
  ] as const) {
    await sql(
      `INSERT INTO webhook_attempts (organization_id, delivery_id, attempt_number, attempted_at, latency_ms)
       VALUES (?, ?, ?, ?, 5)`,
      here.organizationId,
      of,
      attempt_number,
      hoursAgo(hours),
    );
  }
  const { attempt_log } = await admin<WebhookDeliveryInFull>(here, "show-webhook-delivery", { id });
  expect(attempt_log.map(({ attempt_number }) => attempt_number)).toEqual([1, 2, 1]);
});

it("list-webhook-deliveries shows a delivery as held only if it is pending without a due time", async () => {
  const here = await makeFilledWorkspace();
  const id = await here.endpoint();
  await delivery(here, { status: "pending" });
  const held = async () =>
    (await admin<{ held: boolean }[]>(here, "list-webhook-deliveries")).map((listed) => listed.held);
  expect(await held()).toEqual([false]);
  await admin(here, "disable-webhook-endpoint", { id });
  expect(await held()).toEqual([true]);
  await env.DB.prepare("UPDATE webhook_deliveries SET status = 'delivered' WHERE endpoint_id = ?")
    .bind(id)
    .run();
  expect(await held()).toEqual([false]);
});

it("rotate-webhook-secret without overlap leaves no previous secret", async () => {
  const here = await makeFilledWorkspace();
  const id = await here.endpoint();
  await admin(here, "rotate-webhook-secret", { id, overlap_hours: "0" });
  expect(await admin(here, "list-webhook-endpoints")).toMatchObject([{ previous_secret_expires_at: null }]);
});

it("rotate-webhook-secret accepts a 30-minute overlap", async () => {
  const here = await makeFilledWorkspace();
  const id = await here.endpoint();
  const rotated = await admin<WebhookEndpoint>(here, "rotate-webhook-secret", { id, overlap_hours: "0.5" });
  const overlapSeconds = (Date.parse(rotated.previous_secret_expires_at ?? "") - Date.now()) / 1000;
  expect(overlapSeconds).toBeGreaterThan(1800 - 60);
  expect(overlapSeconds).toBeLessThanOrEqual(1800 + 1);
});

it.each([
  ["webhook-health", "id"],
  ["rotate-webhook-secret", "id"],
  ["enable-webhook-endpoint", "id"],
  ["disable-webhook-endpoint", "id"],
  ["send-test-webhook", "id"],
  ["replay-webhook-deliveries", "endpoint"],
])("%s rejects a deleted endpoint", async (operation, field) => {
  const here = await makeFilledWorkspace();
  const id = await here.endpoint();
  await admin(here, "delete-webhook-endpoint", { id });
  const before = await sql("SELECT * FROM webhook_endpoints WHERE id = ?", id);
  expect((await refusal(here, operation, { [field]: id })).message).toBe(
    `There is no webhook endpoint ${id} in this workspace`,
  );
  expect(await sql("SELECT * FROM webhook_endpoints WHERE id = ?", id)).toEqual(before);
});

it.each(["enable", "disable"])(
  "%s-webhook-endpoint adds no audit log entry if the endpoint is already in that state",
  async (step) => {
    const here = await makeFilledWorkspace();
    const id = await here.endpoint(null, { enabled: Number(step === "enable") });
    const updated_at = "2026-01-31T09:30:00.000Z";
    await update("webhook_endpoints", id, { updated_at });
    expect(await admin(here, `${step}-webhook-endpoint`, { id })).toMatchObject({ id, updated_at });
    expect(await admin(here, "audit-log")).toEqual([]);
  },
);
