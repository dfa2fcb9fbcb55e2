import { env } from "cloudflare:workers";
import { describe, expect, inject, it } from "vitest";
import { admin, refusal } from "../support/admin.ts";
import { signedIn } from "../support/settings.ts";
import {
  arrived,
  deliveriesOf,
  minute,
  recordEvents,
  register,
  settled,
  type TestEndpoint,
} from "../support/webhooks.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

/** Changes to endpoints, backfills of missed events, and searches by response status. */

type Endpoint = { id: string; url: string; events: string[] | null; description: string | null };

const update = (here: Workspace, { id }: Pick<TestEndpoint, "id">, changes: object) =>
  admin<Endpoint>(here, "update-webhook-endpoint", { id, ...changes });
const refused = async (here: Workspace, operation: string, fields: object) =>
  (await refusal(here, operation, { ...fields })).message;

describe("update-webhook-endpoint [S17]", () => {
  it("changes the URL, the events and the description, and keeps the deliveries", async () => {
    const here = await makeWorkspace();
    const endpoint = await register(here, "status/500");
    await recordEvents(here, 1);
    const path = `/status/200/${crypto.randomUUID()}`;
    const changed = await update(here, endpoint, {
      url: inject("receivers").http + path,
      events: "money,signoff.recorded",
      description: "Books",
    });
    expect(changed).toMatchObject({ events: ["money", "signoff.recorded"], description: "Books" });
    await minute();
    expect(await settled(endpoint)).toMatchObject([{ status: "delivered", attempts: 1 }]);
    expect(await arrived({ ...endpoint, path })).toHaveLength(1);
    const cleared = await update(here, endpoint, { events: "", description: "" });
    expect(cleared).toMatchObject({ url: changed.url, events: null, description: null });
    expect(await admin(here, "audit-log", { limit: "1" })).toMatchObject([
      {
        action: "webhook_endpoint.updated",
        subject_id: endpoint.id,
        details: {
          before: { events: ["money", "signoff.recorded"], description: "Books" },
          after: { events: null, description: null },
        },
      },
    ]);
  });

  it.each([[[]], [null]])("subscribes to all events if events is %j over RPC", async (events) => {
    const here = await makeWorkspace();
    const endpoint = await register(here);
    await update(here, endpoint, { events: "money" });
    const browser = await signedIn(here.ownerEmail);
    const { status, body } = await browser.rpc("update_webhook_endpoint", { id: endpoint.id, events });
    expect([status, body.events]).toEqual([200, null]);
  });

  it("keeps signing with the same secret", async () => {
    const here = await makeWorkspace();
    const endpoint = await register(here);
    const sealed = () =>
      env.DB.prepare("SELECT secret_encrypted FROM webhook_endpoints WHERE id = ?")
        .bind(endpoint.id)
        .first("secret_encrypted");
    const before = await sealed();
    await update(here, endpoint, { description: "Renamed" });
    expect(await sealed()).toBe(before);
  });

  it("rejects invalid fields, an empty change, a deleted endpoint and another workspace's endpoint", async () => {
    const [here, there] = [await makeWorkspace(), await makeWorkspace()];
    const { id } = await register(here);
    const name = "update-webhook-endpoint";
    expect(await refused(here, name, { id, url: "ftp://example.com" })).toBe(
      "Webhook endpoint must be an https URL",
    );
    expect(await refused(here, name, { id, url: "https://192.168.0.1/" })).toBe(
      "Webhook endpoint must resolve to a public address",
    );
    expect(await refused(here, name, { id, events: "invoice.pad" })).toContain("invoice.pad");
    expect(await refused(here, name, { id })).toContain("change");
    expect(await refused(there, name, { id, description: "x" })).toContain("There is no webhook endpoint");
    await admin(here, "delete-webhook-endpoint", { id });
    expect(await refused(here, name, { id, description: "x" })).toContain("There is no webhook endpoint");
  });

  it("rejects a URL on a host that already has ten endpoints", async () => {
    const here = await makeWorkspace();
    const { http } = inject("receivers");
    const first = await register(here);
    for (let more = 0; more < 9; more += 1) await register(here);
    const moved = await update(here, first, { url: `${http}/elsewhere` });
    expect(moved.url).toBe(`${http}/elsewhere`);
    const other = await register(here, "status/200", { base: http.replace("127.0.0.1", "localhost") });
    expect(
      await refused(here, "update-webhook-endpoint", { id: other.id, url: `${http}/one-more` }),
    ).toContain("10");
  });
});

describe("backfill-webhook-endpoint [S18]", () => {
  const since = "2020-01-01T00:00:00Z";

  it("delivers the stored events that the endpoint missed, each only once and oldest first", async () => {
    const here = await makeWorkspace();
    await recordEvents(here, 3);
    const late = await register(here, "status/200", { events: "money" });
    await recordEvents(here, 1);
    await minute();
    await settled(late);
    const backfill = (fields: object = {}) =>
      admin(here, "backfill-webhook-endpoint", { id: late.id, since, ...fields });
    const places = async () => {
      const { results } = await env.DB.prepare(
        `SELECT (SELECT count(*) FROM events AS other WHERE other.organization_id = events.organization_id
          AND other.sequence <= events.sequence) AS place
         FROM webhook_deliveries JOIN events ON events.id = event_id WHERE endpoint_id = ? ORDER BY place`,
      )
        .bind(late.id)
        .all<{ place: number }>();
      return results.map(({ place }) => place);
    };
    expect(await backfill({ dry_run: "true" })).toEqual({ matched: 3, created: 0 });
    expect(await backfill({ limit: "2" })).toEqual({ matched: 3, created: 2 });
    expect(await places()).toEqual([1, 2, 4]);
    expect(await backfill()).toEqual({ matched: 1, created: 1 });
    expect(await backfill()).toEqual({ matched: 0, created: 0 });
    expect(await places()).toEqual([1, 2, 3, 4]);
    // The last one becomes due 100 ms after the first.
    await scheduler.wait(100);
    await minute();
    const deliveries = await settled(late);
    expect(deliveries.map(({ status }) => status)).toEqual(Array(4).fill("delivered"));
    expect(await admin(here, "audit-log", { limit: "1" })).toMatchObject([
      { action: "webhook_endpoint.backfilled", subject_id: late.id, details: { matched: 1 } },
    ]);
  });

  it("delivers only the subscribed events of a period", async () => {
    const [here, there] = [await makeWorkspace(), await makeWorkspace()];
    await recordEvents(here, 2);
    await recordEvents(there, 2);
    const early = await register(here);
    await admin(here, "send-test-webhook", { id: early.id });
    const deaf = await register(here, "status/200", { events: "signoff.recorded" });
    const count = (id: string, fields: object = {}) =>
      admin(here, "backfill-webhook-endpoint", { id, since, dry_run: "true", ...fields });
    expect(await count(deaf.id)).toEqual({ matched: 0, created: 0 });
    expect(await count(early.id)).toEqual({ matched: 2, created: 0 });
    expect(await count(early.id, { since: "2099-01-01T00:00:00Z" })).toEqual({ matched: 0, created: 0 });
    expect(await count(early.id, { until: since })).toEqual({ matched: 0, created: 0 });
    const name = "backfill-webhook-endpoint";
    expect(await refused(there, name, { id: early.id, since })).toContain("There is no webhook endpoint");
    expect(await refused(here, name, { id: early.id })).toBe("since is required");
    await admin(here, "disable-webhook-endpoint", { id: early.id });
    expect(await refused(here, name, { id: early.id, since })).toBe("This endpoint is disabled");
    expect(await deliveriesOf(deaf)).toEqual([]);
  });
});

describe("list-webhook-deliveries with http_status", () => {
  it("finds deliveries by the status of their last attempt", async () => {
    const here = await makeWorkspace();
    const [gone, fine] = [await register(here, "status/410"), await register(here, "status/200")];
    await recordEvents(here, 1);
    await minute();
    await settled(gone);
    await settled(fine);
    const answered = (http_status: string) => admin(here, "list-webhook-deliveries", { http_status });
    expect(await answered("410")).toMatchObject([{ endpoint_id: gone.id }]);
    expect(await answered("200")).toMatchObject([{ endpoint_id: fine.id }]);
    expect(await answered("500")).toEqual([]);
    expect(await refused(here, "list-webhook-deliveries", { http_status: "99" })).toContain("http_status");
  });
});
