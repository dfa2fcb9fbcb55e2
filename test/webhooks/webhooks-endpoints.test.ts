import { env } from "cloudflare:workers";
import { describe, expect, inject, it } from "vitest";
import type { WebhookDelivery } from "../../src/webhooks/deliveries/record.ts";
import type {
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookHealth,
} from "../../src/webhooks/endpoints/record.ts";
import { admin, refusal } from "../support/admin.ts";
import { minute, recordEvents, register, retryNow, settled } from "../support/webhooks.ts";
import { makeWorkspace } from "../support/workspace.ts";

const url = "https://93.184.216.34/hooks";

describe("registering an endpoint [W21]", () => {
  it("shows the secret once and stores it encrypted [W10]", async () => {
    const workspace = await makeWorkspace();
    const made = await admin<WebhookEndpointWithSecret>(workspace, "create-webhook-endpoint", {
      url,
      events: "money,deliverable.sent,money",
      description: "Ledger",
    });
    expect(made).toMatchObject({
      url,
      events: ["money", "deliverable.sent"],
      description: "Ledger",
      enabled: true,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const listed = await admin<WebhookEndpoint[]>(workspace, "list-webhook-endpoints");
    expect(listed).toMatchObject([{ id: made.id, url }]);
    expect(JSON.stringify(listed)).not.toContain("whsec_");
    const stored = await env.DB.prepare("SELECT * FROM webhook_endpoints WHERE id = ?").bind(made.id).all();
    const logged = await admin(workspace, "audit-log");
    expect(JSON.stringify([stored.results, logged])).not.toContain(made.secret.slice(6));
    expect(logged).toMatchObject([{ action: "webhook_endpoint.created", subject_id: made.id }]);
  });

  it.each([
    ["http://example.com/hook", "Webhook endpoint must be an https URL"],
    ["ftp://example.com/hook", "Webhook endpoint must be an https URL"],
    ["not a url", "Webhook endpoint must be an https URL"],
    ["https://93.184.216.34/a\n\nClick\u001b[2Jhere", "Webhook endpoint must be an https URL"],
    ["https://93.184.216.34/\u202ekooh", "Webhook endpoint must be an https URL"],
    [`https://93.184.216.34/${"🎨".repeat(1979)}`, "url must have at most 2000 characters"],
    ["https://user:secret@example.com/", "Webhook endpoint must be an https URL"],
    ["https://10.0.0.1/hook", "Webhook endpoint must resolve to a public address"],
    ["https://169.254.169.254/latest/meta-data/", "Webhook endpoint must resolve to a public address"],
    ["https://[fd00::1]/hook", "Webhook endpoint must resolve to a public address"],
    ["https://0x0a000001/hook", "Webhook endpoint must resolve to a public address"],
    ["https://metadata.google.internal/", "Webhook endpoint must resolve to a public address"],
  ])("rejects %s", async (refused, message) => {
    expect(await refusal(await makeWorkspace(), "create-webhook-endpoint", { url: refused })).toMatchObject({
      message,
    });
  });

  it.each([
    "HTTPS://93.184.216.34:443/a/../b?q=é",
    "https://９３.184.216.34./bücher#שלום",
    `https://0x5DB8D822/${"🎨".repeat(1981)}`,
  ])("returns a URL as sent, in a form that it accepts again: %s [T14]", async (sent) => {
    const workspace = await makeWorkspace();
    const made = await admin<WebhookEndpoint>(workspace, "create-webhook-endpoint", { url: ` ${sent} ` });
    expect(made.url).toBe(sent);
    const [listed] = await admin<WebhookEndpoint[]>(workspace, "list-webhook-endpoints");
    expect(listed?.url).toBe(sent);
    const { id } = await admin<WebhookEndpoint>(workspace, "create-webhook-endpoint", { url });
    expect(await admin(workspace, "update-webhook-endpoint", { id, url: listed?.url })).toMatchObject({
      url: sent,
    });
    expect(await admin(workspace, "webhook-health", { id })).toMatchObject({ url: sent });
    expect(await admin(workspace, "audit-log")).toMatchObject([
      { details: { before: { url }, after: { url: sent } } },
      { details: { url } },
      { details: { url: sent } },
    ]);
  });

  it("rejects an event that is not in the catalog", async () => {
    const { message } = await refusal(await makeWorkspace(), "create-webhook-endpoint", {
      url,
      events: "invoice.paid,invoice.burned",
    });
    expect(message).toBe("Unknown event: invoice.burned");
  });

  it("allows at most 50 endpoints per workspace", async () => {
    const workspace = await makeWorkspace();
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
       INSERT INTO webhook_endpoints (id, organization_id, url, secret_encrypted, created_by)
       SELECT 'endpoint-' || i || ?1, ?1, 'https://' || i || '.example.com/', '', (SELECT id FROM members
         WHERE organization_id = ?1) FROM n`,
    )
      .bind(workspace.organizationId)
      .run();
    expect(await refusal(workspace, "create-webhook-endpoint", { url })).toEqual({
      message: "A workspace can have at most 50 webhook endpoints",
      hint: "delete an endpoint first",
    });
    const [oldest] = await admin<WebhookEndpoint[]>(workspace, "list-webhook-endpoints");
    await env.DB.prepare("UPDATE webhook_endpoints SET deleted_at = created_at WHERE id = ?")
      .bind(oldest?.id)
      .run();
    expect(await admin(workspace, "create-webhook-endpoint", { url })).toMatchObject({ url });
  });

  it("requires an admin and a plan with API access", async () => {
    const workspace = await makeWorkspace();
    await admin(workspace, "set-member", { email: "member@example.com", role: "member" });
    expect(await refusal(workspace, "create-webhook-endpoint", { url, actor: "member@example.com" })).toEqual(
      { message: "Only organization admins can add webhooks", hint: null },
    );
    expect(await refusal(await makeWorkspace({ plan: "free" }), "create-webhook-endpoint", { url })).toEqual({
      message: "API access is a paid feature",
      hint: "upgrade_required:api_access",
    });
  });

  it("allows no rotation during the overlap of the previous one [W12]", async () => {
    const here = await makeWorkspace();
    const { id } = await register(here);
    const rotated = await admin<{ previous_secret_expires_at: string }>(here, "rotate-webhook-secret", {
      id,
    });
    const stored = () => env.DB.prepare("SELECT * FROM webhook_endpoints WHERE id = ?").bind(id).first();
    const before = await stored();
    expect(await refusal(here, "rotate-webhook-secret", { id })).toMatchObject({
      message: `After the last rotation, the previous secret is still valid until ${rotated.previous_secret_expires_at}`,
    });
    expect(await stored()).toEqual(before);
    const over = "2026-01-01T00:00:00.000Z";
    await env.DB.prepare("UPDATE webhook_endpoints SET previous_secret_expires_at = ? WHERE id = ?")
      .bind(over, id)
      .run();
    expect(await admin(here, "rotate-webhook-secret", { id, overlap_hours: 0 })).toHaveProperty("secret");
    expect(await admin(here, "rotate-webhook-secret", { id })).toHaveProperty("secret");
  });

  it("does not allow changes to a deleted endpoint", async () => {
    const here = await makeWorkspace();
    const { id } = await register(here);
    await admin(here, "delete-webhook-endpoint", { id });
    const stored = () => env.DB.prepare("SELECT * FROM webhook_endpoints WHERE id = ?").bind(id).first();
    const deleted = await stored();
    expect(deleted).toMatchObject({ secret_encrypted: "", previous_secret_encrypted: null });
    for (const operation of [
      "rotate-webhook-secret",
      "enable-webhook-endpoint",
      "disable-webhook-endpoint",
      "delete-webhook-endpoint",
    ]) {
      const { message } = await refusal(here, operation, { id });
      expect(message).toBe(`There is no webhook endpoint ${id} in this workspace`);
    }
    expect(await stored()).toEqual(deleted);
  });
});

describe("operations on endpoints and deliveries", () => {
  it("list deliveries newest first, filtered by endpoint and status", async () => {
    const workspace = await makeWorkspace();
    const good = await register(workspace);
    const gone = await register(workspace, "status/410");
    await recordEvents(workspace, 3);
    await minute();
    await settled(good);
    await settled(gone);
    const list = (fields: object) =>
      admin<WebhookDelivery[]>(workspace, "list-webhook-deliveries", fields as Record<string, unknown>);
    const all = await list({});
    expect(all).toHaveLength(6);
    const created = all.map(({ created_at }) => created_at);
    expect(created).toEqual([...created].sort().reverse());
    expect(await list({ limit: "2" })).toEqual(all.slice(0, 2));
    expect(await list({ status: "dead" })).toEqual(all.filter(({ status }) => status === "dead"));
    expect(await list({ endpoint: good.id })).toEqual(
      all.filter(({ endpoint_id }) => endpoint_id === good.id),
    );
    expect(await list({ endpoint: good.id, status: "dead" })).toEqual([]);
    expect(await list({ endpoint: gone.id, status: "dead" })).toHaveLength(3);
    expect(all[0]).toMatchObject({ event: "invoice.sent", attempts: 1, held: false });
  });

  it("show a delivery even if a newer release has added its event type", async () => {
    const workspace = await makeWorkspace();
    await register(workspace);
    await env.DB.prepare(
      `INSERT INTO events (organization_id, event, category, subject_id, payload)
        VALUES (?, 'invoice.voided', 'money', 'x', '{}')`,
    )
      .bind(workspace.organizationId)
      .run();
    const [delivery] = await admin<WebhookDelivery[]>(workspace, "list-webhook-deliveries");
    expect(delivery?.event).toBe("invoice.voided");
    expect(await admin(workspace, "show-webhook-delivery", { id: delivery?.id })).toMatchObject({
      payload: {},
    });
  });

  it("return an endpoint's health figures", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace, "sequence/200,410,500,200");
    await recordEvents(workspace, 1);
    await minute();
    await settled(endpoint);
    await recordEvents(workspace, 1);
    await minute();
    await settled(endpoint);
    await recordEvents(workspace, 1);
    await minute();
    await settled(endpoint);
    await env.DB.prepare(
      `UPDATE webhook_deliveries SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-90 seconds')
        WHERE endpoint_id = ? AND status = 'pending'`,
    )
      .bind(endpoint.id)
      .run();
    const health = await admin<WebhookHealth>(workspace, "webhook-health", { id: endpoint.id });
    expect(health).toMatchObject({
      id: endpoint.id,
      enabled: true,
      delivered_24h: 1,
      failed_24h: 2,
      pending_backlog: 1,
      dead_letters: 1,
      consecutive_failures: 2,
      consecutive_dead: 1,
    });
    expect(health.oldest_pending_age_seconds).toBeGreaterThanOrEqual(89);
    expect(health.oldest_pending_age_seconds).toBeLessThan(120);
    await retryNow(endpoint, 2);
    expect(await admin<WebhookHealth>(workspace, "webhook-health", { id: endpoint.id })).toMatchObject({
      delivered_24h: 2,
      failed_24h: 1,
      consecutive_failures: 0,
    });
  });

  it("show the consecutive failures until a delivery succeeds", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace, "sequence/500,500,200");
    const failures = async () =>
      (await admin<WebhookHealth>(workspace, "webhook-health", { id: endpoint.id })).consecutive_failures;
    for (const expected of [1, 2, 0]) {
      await recordEvents(workspace, 1);
      await minute();
      await settled(endpoint);
      expect(await failures()).toBe(expected);
    }
  });

  it("hide a deleted endpoint and end its pending deliveries", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace, "any", { base: inject("receivers").closed });
    await recordEvents(workspace, 1);
    await minute();
    await settled(endpoint);
    await admin(workspace, "rotate-webhook-secret", { id: endpoint.id });
    await admin(workspace, "delete-webhook-endpoint", { id: endpoint.id });
    expect(await admin(workspace, "list-webhook-endpoints")).toEqual([]);
    expect(await secretsOf(endpoint)).toEqual({ secret_encrypted: "", previous_secret_encrypted: null });
    await recordEvents(workspace, 1);
    const rows = await admin<WebhookDelivery[]>(workspace, "list-webhook-deliveries");
    expect(rows).toMatchObject([{ status: "dead", next_attempt_at: null }]);
    expect(await refusal(workspace, "replay-webhook-delivery", { id: rows[0]?.id })).toMatchObject({
      message: "The endpoint of this delivery was deleted",
    });
    expect((await refusal(workspace, "delete-webhook-endpoint", { id: endpoint.id })).message).toMatch(
      /^There is no webhook endpoint/,
    );
  });
});

const secretsOf = ({ id }: { id: string }) =>
  env.DB.prepare("SELECT secret_encrypted, previous_secret_encrypted FROM webhook_endpoints WHERE id = ?")
    .bind(id)
    .first();
