import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { servicesOf } from "../../src/services.ts";
import { purgeEvents } from "../../src/webhooks/deliveries/purge-events.ts";
import type { WebhookDelivery } from "../../src/webhooks/deliveries/record.ts";
import type { WebhookEndpoint } from "../../src/webhooks/endpoints/record.ts";
import { notifyOwners } from "../../src/webhooks/health/notify-owners.ts";
import { admin, refusal } from "../support/admin.ts";
import {
  arrived,
  deliveriesOf,
  makeDue,
  minute,
  recordEvents,
  register,
  retryNow,
  settled,
  type TestEndpoint,
} from "../support/webhooks.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

const endpointOf = async (workspace: Workspace, { id }: TestEndpoint): Promise<WebhookEndpoint> => {
  const endpoints = await admin<WebhookEndpoint[]>(workspace, "list-webhook-endpoints");
  const found = endpoints.find((endpoint) => endpoint.id === id);
  if (!found) throw new Error("the endpoint is not listed");
  return found;
};

const toggles: Record<string, (workspace: Workspace, endpoint: TestEndpoint) => Promise<unknown>> = {
  "its endpoint is disabled and enabled": async (workspace, { id }) => {
    await admin(workspace, "disable-webhook-endpoint", { id });
    await admin(workspace, "enable-webhook-endpoint", { id });
  },
  "the plan loses and regains api_access": async (workspace) => {
    await admin(workspace, "set-plan", { plan: "free" });
    await admin(workspace, "set-plan", { plan: "solo" });
  },
};

/** Registers an endpoint and records events that its receiver permanently rejects, by default twenty. */
async function openBreaker(workspace: Workspace, count = 20): Promise<TestEndpoint> {
  const endpoint = await register(workspace, "status/410");
  await recordEvents(workspace, count);
  await minute();
  await vi.waitFor(
    async () => {
      const rows = await deliveriesOf(endpoint);
      expect(rows.filter(({ status }) => status === "dead")).toHaveLength(count);
    },
    { timeout: 10_000 },
  );
  return endpoint;
}

describe("held deliveries [W24]", () => {
  it("use up no attempt and are sent once the disabled endpoint is enabled", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace);
    const disabled = await admin<WebhookEndpoint>(workspace, "disable-webhook-endpoint", { id: endpoint.id });
    expect(disabled).toMatchObject({ enabled: false, disabled_reason: "admin" });
    await recordEvents(workspace, 3);
    await minute();
    expect(await admin<WebhookDelivery[]>(workspace, "list-webhook-deliveries")).toMatchObject(
      Array(3).fill({ status: "pending", held: true, attempts: 0, next_attempt_at: null }),
    );
    const enabled = await admin<WebhookEndpoint>(workspace, "enable-webhook-endpoint", { id: endpoint.id });
    expect(enabled).toMatchObject({ enabled: true, disabled_reason: null });
    const rows = await settled(endpoint);
    expect(rows.map(({ status, attempts }) => [status, attempts])).toEqual(Array(3).fill(["delivered", 1]));
  });

  it("are sent once the workspace's plan includes api_access again", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace, "sequence/500,200");
    await recordEvents(workspace, 1);
    await minute();
    await settled(endpoint);
    await makeDue(endpoint);
    await admin(workspace, "set-plan", { plan: "free" });
    await recordEvents(workspace, 1);
    await minute();
    const held = await deliveriesOf(endpoint);
    expect(held.map(({ attempts, next_attempt_at }) => [attempts, next_attempt_at])).toEqual([
      [1, null],
      [0, null],
    ]);
    await admin(workspace, "set-plan", { plan: "solo" });
    const rows = await settled(endpoint, 9);
    expect(rows.map(({ status, attempts }) => [status, attempts])).toEqual([
      ["delivered", 2],
      ["delivered", 1],
    ]);
  });

  it("are not sent before their Retry-After has passed", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace, "retry-after/429,7200");
    await recordEvents(workspace, 1);
    await minute();
    const [asked] = await settled(endpoint);
    for (const toggle of Object.values(toggles)) {
      await toggle(workspace, endpoint);
      await minute();
      expect(await deliveriesOf(endpoint)).toEqual([asked]);
    }
    expect(Date.parse(asked?.next_attempt_at ?? "") - Date.now()).toBeGreaterThan(7_000_000);
    expect(await arrived(endpoint)).toHaveLength(1);
  });

  it("include a waiting retry, but not an attempt in progress when the endpoint is disabled", async () => {
    const workspace = await makeWorkspace();
    const [slow, failing] = [await register(workspace, "slow/400"), await register(workspace, "reset")];
    await recordEvents(workspace, 1);
    await minute();
    await arrived(slow);
    await admin(workspace, "disable-webhook-endpoint", { id: slow.id });
    expect(await settled(slow)).toMatchObject([{ status: "delivered", attempts: 1 }]);
    await settled(failing);
    await admin(workspace, "disable-webhook-endpoint", { id: failing.id });
    expect(await deliveriesOf(failing)).toMatchObject([
      { status: "pending", attempts: 1, next_attempt_at: null },
    ]);
  });
});

describe("concurrent attempts of a delivery [W20]", () => {
  it.each(Object.entries(toggles))("are prevented even if %s during the attempt", async (_, toggle) => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace, "slow/1500");
    await recordEvents(workspace, 1);
    await minute();
    await arrived(endpoint);
    await toggle(workspace, endpoint);
    await minute();
    expect(await settled(endpoint)).toMatchObject([{ status: "delivered", attempts: 1 }]);
    expect(await arrived(endpoint)).toHaveLength(1);
  });
});

describe("the circuit breaker [W25]", () => {
  it("disables the endpoint after 20 consecutive dead deliveries", async () => {
    const workspace = await makeWorkspace();
    const spared = await openBreaker(workspace, 19);
    expect(await endpointOf(workspace, spared)).toMatchObject({ enabled: true });
    await admin(workspace, "delete-webhook-endpoint", { id: spared.id });

    const endpoint = await openBreaker(workspace);
    expect(await endpointOf(workspace, endpoint)).toMatchObject({
      enabled: false,
      disabled_reason: "circuit_breaker",
    });
    await recordEvents(workspace, 1);
    await minute();
    expect((await deliveriesOf(endpoint)).at(-1)).toMatchObject({ status: "pending", attempts: 0 });
    await admin(workspace, "enable-webhook-endpoint", { id: endpoint.id });
    await settled(endpoint);
    expect(await endpointOf(workspace, endpoint)).toMatchObject({ enabled: true, disabled_reason: null });
  });

  it("e-mails the workspace's owner once each time it opens", async () => {
    const workspace = await makeWorkspace();
    // Adds an admin who joined before the owner, and another owner who joined at the same time as the first.
    await admin(workspace, "set-member", { email: "second@example.com", role: "admin" });
    const { organizationId } = workspace;
    const later = `00000000${crypto.randomUUID().slice(8)}`;
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO members (id, organization_id, email, role) VALUES (?, ?, 'another@example.com', 'owner')",
      ).bind(later, organizationId),
      env.DB.prepare(
        `UPDATE members SET created_at = iif(role = 'admin', '2020-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z')
          WHERE organization_id = ?`,
      ).bind(organizationId),
    ]);
    const endpoint = await openBreaker(workspace);
    const sent: EmailMessageBuilder[] = [];
    const email = { send: async (mail: EmailMessageBuilder) => sent.push(mail) } as never;
    const services = {
      ...servicesOf({ ...env, APPLICATION_URL: "https://app.example.com/" }),
      email,
    };
    const refusing = { ...services, email: { send: () => Promise.reject(new Error("E_DOWN")) } as never };
    const ours = () => sent.filter(({ to }) => to === workspace.ownerEmail);
    await expect(notifyOwners(refusing)).rejects.toThrow("not notified");
    await Promise.all([notifyOwners(services), notifyOwners(services)]);
    await notifyOwners(services);
    expect(ours()).toHaveLength(1);
    expect(ours()[0]?.subject).toMatch(/^127\.0\.0\.1:\d+ is switched off$/);
    expect(ours()[0]?.text).toContain(endpoint.path);
    const page = `https://app.example.com/settings/org-${workspace.organizationId}/webhooks/${endpoint.id}`;
    expect(ours()[0]?.text).toContain(`\n${page}\n`);
    expect(ours()[0]?.html).toContain(`<a href="${page}" `);
    expect(JSON.stringify(sent)).not.toMatch(/(second|another)@example\.com/);

    await admin(workspace, "enable-webhook-endpoint", { id: endpoint.id });
    await recordEvents(workspace, 20);
    await minute();
    await vi.waitFor(async () => expect((await endpointOf(workspace, endpoint)).enabled).toBe(false), {
      timeout: 10_000,
    });
    await admin(workspace, "enable-webhook-endpoint", { id: endpoint.id });
    await notifyOwners(services);
    expect(ours()).toHaveLength(2);
    expect(ours()[1]?.text).toContain("has enabled it again");
  });

  it("e-mails again if it opens again while an e-mail is being sent", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await openBreaker(workspace);
    const send = vi.fn(async () => {
      await env.DB.prepare(
        "UPDATE webhook_endpoints SET notice_due_at = '2099-01-01T00:00:00.000Z' WHERE id = ?",
      )
        .bind(endpoint.id)
        .run();
    });
    const services = { ...servicesOf(env), email: { send } as never };
    for (const mails of [1, 2, 2]) {
      await notifyOwners(services);
      expect(send).toHaveBeenCalledTimes(mails);
    }
  });

  it("e-mails once even if the update after sending is lost", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await openBreaker(workspace);
    const sent: string[] = [];
    const send = async ({ to }: EmailMessageBuilder) => sent.push(String(to));
    const services = { ...servicesOf(env), email: { send } as never };
    const batch = env.DB.batch.bind(env.DB);
    let isLost = false;
    const ofEndpoint = vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
      const isWord = sent.includes(workspace.ownerEmail) && JSON.stringify(statements).includes(endpoint.id);
      if (!isWord || isLost) return (await batch(statements)) as never;
      isLost = true;
      throw new Error("D1_ERROR: Network connection lost.");
    });
    await notifyOwners(services);
    ofEndpoint.mockRestore();
    expect(isLost).toBe(true);
    await env.DB.prepare(
      "UPDATE webhook_endpoints SET notice_leased_at = '2026-01-31T09:30:00.000Z' WHERE id = ?",
    )
      .bind(endpoint.id)
      .run();
    await notifyOwners(services);
    expect(sent.filter((to) => to === workspace.ownerEmail)).toHaveLength(1);
  });

  it("e-mails the person who is the owner at the time of sending", async () => {
    const [first, second] = [await makeWorkspace(), await makeWorkspace()];
    for (const [index, workspace] of [first, second].entries())
      await env.DB.prepare(
        "UPDATE webhook_endpoints SET enabled = 0, notice_due_at = '2001-01-01T00:00:0' || ? || '.000Z' WHERE id = ?",
      )
        .bind(index, (await register(workspace, "status/200")).id)
        .run();
    const sent: string[] = [];
    const send = async ({ to }: EmailMessageBuilder) => {
      sent.push(String(to));
      if (to === first.ownerEmail)
        await env.DB.prepare("UPDATE members SET email = 'heir@example.com' WHERE organization_id = ?")
          .bind(second.organizationId)
          .run();
    };
    await notifyOwners({ ...servicesOf(env), email: { send } as never });
    expect(sent.slice(0, 2)).toEqual([first.ownerEmail, "heir@example.com"]);
  });

  it("does not repeat an e-mail that another cron run has just sent", async () => {
    const [first, second] = [await makeWorkspace(), await makeWorkspace()];
    for (const [index, workspace] of [first, second].entries())
      await env.DB.prepare(
        "UPDATE webhook_endpoints SET enabled = 0, notice_due_at = '2001-01-02T00:00:0' || ? || '.000Z' WHERE id = ?",
      )
        .bind(index, (await register(workspace, "status/200")).id)
        .run();
    const sent: string[] = [];
    const send = async ({ to }: EmailMessageBuilder) => {
      sent.push(String(to));
      if (to === first.ownerEmail) await notifyOwners(services);
    };
    const services = { ...servicesOf(env), email: { send } as never };
    await notifyOwners(services);
    expect(sent).toEqual([first.ownerEmail, second.ownerEmail]);
  });

  it("removes control characters and bidirectional characters from the URL in the e-mail", async () => {
    const workspace = await makeWorkspace();
    const { id } = await register(workspace, "status/200");
    await env.DB.prepare(
      "UPDATE webhook_endpoints SET enabled = 0, notice_due_at = '2099-01-03T00:00:00.000Z', url = ? WHERE id = ?",
    )
      .bind("https://example.com/\r\n\r\nPay here\u001b[2J\u202e", id)
      .run();
    const sent: EmailMessageBuilder[] = [];
    const send = async (mail: EmailMessageBuilder) => {
      sent.push(mail);
    };
    await notifyOwners({ ...servicesOf(env), email: { send } as never });
    const mail = sent.find(({ to }) => to === workspace.ownerEmail);
    expect(mail?.text).toContain("Endpoint: https://example.com/ Pay here [2J\n");
    expect(JSON.stringify(mail)).not.toMatch(/\\r|\\u001b|\u202e/);
  });

  it("does not e-mail about a deleted endpoint", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await openBreaker(workspace);
    await admin(workspace, "delete-webhook-endpoint", { id: endpoint.id });
    const send = vi.fn();
    await notifyOwners({ ...servicesOf(env), email: { send } as never });
    expect(JSON.stringify(send.mock.calls)).not.toContain(workspace.ownerEmail);
  });
});

describe("a replay [W26]", () => {
  it("restarts a dead delivery's attempts under the same id", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace, "sequence/410,500,200");
    await recordEvents(workspace, 1);
    await minute();
    const [dead] = await settled(endpoint);
    expect(dead).toMatchObject({ status: "dead", attempts: 1 });
    const replayed = await admin<WebhookDelivery>(workspace, "replay-webhook-delivery", { id: dead?.id });
    expect(replayed).toMatchObject({ id: dead?.id, status: "pending", attempts: 0 });
    await settled(endpoint);
    expect(await retryNow(endpoint, 2)).toMatchObject([{ id: dead?.id, status: "delivered", attempts: 2 }]);
    const requests = await arrived(endpoint, 3);
    expect(new Set(requests.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([dead?.id]));
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  });

  it("resends a delivery that is delivered or waiting, but not one in progress", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace, "sequence/200,200");
    await recordEvents(workspace, 1);
    await minute();
    const [delivered] = await settled(endpoint);
    const replay = () => admin<WebhookDelivery>(workspace, "replay-webhook-delivery", { id: delivered?.id });
    expect(await replay()).toMatchObject({ status: "pending", attempts: 0 });
    const refused = {
      message: "This delivery is held, or is about to be sent, so it cannot be replayed",
    };
    expect(await refusal(workspace, "replay-webhook-delivery", { id: delivered?.id })).toMatchObject(refused);
    await settled(endpoint);
    await env.DB.prepare(
      `UPDATE webhook_deliveries SET status = 'pending', attempts = 6, settled_at = NULL,
        next_attempt_at = '2099-01-31T09:30:00.000Z' WHERE id = ?`,
    )
      .bind(delivered?.id)
      .run();
    const { next_attempt_at, ...waiting } = await replay();
    expect(waiting).toMatchObject({ status: "pending", attempts: 0 });
    expect(next_attempt_at?.slice(0, 4)).not.toBe("2099");
  });
});

it("shows a replayed delivery of a disabled endpoint as held", async () => {
  const workspace = await makeWorkspace();
  const endpoint = await register(workspace, "sequence/410,200");
  await recordEvents(workspace, 1);
  await minute();
  const [dead] = await settled(endpoint);
  await admin(workspace, "disable-webhook-endpoint", { id: endpoint.id });
  expect(await admin(workspace, "replay-webhook-delivery", { id: dead?.id })).toMatchObject({
    status: "pending",
    held: true,
    next_attempt_at: null,
  });
  await admin(workspace, "enable-webhook-endpoint", { id: endpoint.id });
  expect(await settled(endpoint)).toMatchObject([{ id: dead?.id, status: "delivered" }]);
});

describe("the purge [W27]", () => {
  it("deletes 450 old events in one call, in batches", async () => {
    const { organizationId } = await makeWorkspace();
    await env.DB.prepare(
      `INSERT INTO events (sequence, organization_id, event, subject_id, payload, created_at)
       SELECT -value, ?, 'invoice.sent', value, '{}', '2020-01-01T00:00:00.000Z' FROM json_each(?)`,
    )
      .bind(organizationId, JSON.stringify(Array.from({ length: 450 }, (_, index) => index)))
      .run();
    expect(await purgeEvents(env.DB)).toBe(450);
    const left = "SELECT count(*) AS left FROM events WHERE organization_id = ?";
    expect(await env.DB.prepare(left).bind(organizationId).first("left")).toBe(0);
  });

  it("deletes events, deliveries and attempts after 30 days", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace);
    await recordEvents(workspace, 2);
    await minute();
    const [old, young] = await settled(endpoint);
    await env.DB.exec("DROP TRIGGER events_immutable");
    const age = (id: string | undefined, days: number) =>
      env.DB.prepare(
        `UPDATE events SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?), sequence = sequence - 1000000
         WHERE id = (SELECT event_id FROM webhook_deliveries WHERE id = ?)`,
      )
        .bind(`-${days} days`, id)
        .run();
    await age(old?.id, 30.01);
    await age(young?.id, 29.9);
    await minute();
    expect((await deliveriesOf(endpoint)).map(({ id }) => id)).toEqual([young?.id]);
    const left = await env.DB.prepare(
      `SELECT (SELECT count(*) FROM events WHERE organization_id = ?1) AS events, (SELECT count(*)
        FROM webhook_attempts WHERE organization_id = ?1) AS attempts`,
    )
      .bind(workspace.organizationId)
      .first();
    expect(left).toEqual({ events: 1, attempts: 1 });
  });
});
