import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { describe, expect, it, vi } from "vitest";
import { searchLimits } from "../../src/contract/webhook-limits.ts";
import { type Query, run } from "../../src/db/query.ts";
import { type DeliveryFilter, listDeliveries } from "../../src/webhooks/deliveries/read-deliveries.ts";
import { admin, refusal } from "../support/admin.ts";
import { watchMails } from "../support/mails.ts";
import { metered } from "../support/metered.ts";
import { call } from "../support/partner.ts";
import { signedIn } from "../support/settings.ts";
import {
  arrived,
  deliveriesOf,
  insertDeliveries,
  minute,
  recordEvents,
  register,
  settled,
} from "../support/webhooks.ts";
import { makeWorkspace } from "../support/workspace.ts";

type Delivery = { id: string; status: string; event: string; created_at: string };

/** Makes a concurrent change once, right after the first batch that returns this column. */
function afterBatch(column: string, meanwhile: () => Promise<unknown>): void {
  const batch = env.DB.batch.bind(env.DB);
  let isDone = false;
  vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
    const answers = await batch<Record<string, unknown>>(statements);
    const answersIt = answers.some(({ results }) => column in (results[0] ?? {}));
    if (answersIt && !isDone) {
      isDone = true;
      await meanwhile();
    }
    return answers as never;
  });
}

describe("send-test-webhook", () => {
  it("requires a paid plan", async () => {
    const here = await makeWorkspace();
    const { id } = await register(here);
    await admin(here, "set-plan", { plan: "free" });
    expect((await refusal(here, "send-test-webhook", { id })).message).toBe("API access is a paid feature");
  });

  it("delivers a signed endpoint.test to one endpoint and shows the result [S12]", async () => {
    const here = await makeWorkspace();
    const [tested, other] = [await register(here), await register(here)];
    const sent = await admin<Delivery>(here, "send-test-webhook", { id: tested.id });
    expect(sent).toMatchObject({ event: "endpoint.test", status: "pending", endpoint_id: tested.id });
    const [request] = await arrived(tested);
    expect(request?.headers).toMatchObject({ "x-svc-event": "endpoint.test", "x-svc-test": "true" });
    const body = new Webhook(tested.secret).verify(
      request?.body ?? "",
      request?.headers as Record<string, string>,
    );
    expect(body).toMatchObject({ event: "endpoint.test", data: { endpoint_id: tested.id } });
    await settled(tested);
    const shown = await admin(here, "show-webhook-delivery", { id: sent.id });
    expect(shown).toMatchObject({ status: "delivered", attempt_log: [{ response_status: 200 }] });
    expect(await deliveriesOf(other)).toEqual([]);
    const about = { subject_id: tested.id };
    expect(await admin(here, "list-webhook-deliveries", about)).toMatchObject([{ id: sent.id }]);
    expect(await admin(here, "audit-log", { limit: "1" })).toMatchObject([
      { action: "webhook_endpoint.tested", subject_id: tested.id, details: { event: "endpoint.test" } },
    ]);
  });

  it("delivers a sample of a given event, even to an endpoint that does not subscribe to it", async () => {
    const here = await makeWorkspace();
    const endpoint = await register(here, "status/200", { events: "signoff.recorded" });
    await admin(here, "send-test-webhook", { id: endpoint.id, event: "invoice.paid" });
    const [request] = await arrived(endpoint);
    expect(request?.headers).toMatchObject({ "x-svc-event": "invoice.paid", "x-svc-test": "true" });
    const { created_at, ...body } = JSON.parse(request?.body ?? "");
    expect(body).toMatchObject({ event: "invoice.paid", data: { status: "partially_paid" } });
    expect(Math.abs(Date.now() - Date.parse(created_at))).toBeLessThan(600_000);
    const feed = await (await call(here, "/api-v1/events")).json<{ data: object[] }>();
    expect(feed.data).toEqual([]);
  });

  it("rejects an unknown event, and an endpoint that is disabled, deleted or another workspace's", async () => {
    const [here, there] = [await makeWorkspace(), await makeWorkspace()];
    const { id } = await register(here);
    expect((await refusal(there, "send-test-webhook", { id })).message).toContain(
      "There is no webhook endpoint",
    );
    expect((await refusal(here, "send-test-webhook", { id, event: "invoice.pad" })).message).toContain(
      "event",
    );
    await admin(here, "disable-webhook-endpoint", { id });
    expect((await refusal(here, "send-test-webhook", { id })).hint).toBe("enable it first");
    await admin(here, "delete-webhook-endpoint", { id });
    expect((await refusal(here, "send-test-webhook", { id })).message).toContain(
      "There is no webhook endpoint",
    );
  });
});

it.each([
  ["disabled", "enabled = 0"],
  ["deleted", "deleted_at = created_at"],
])(
  "send-test-webhook does not create a delivery for an endpoint that has just been %s",
  async (_, change) => {
    const here = await makeWorkspace();
    const { id } = await register(here);
    afterBatch("previous_secret_expires_at", () =>
      env.DB.prepare(`UPDATE webhook_endpoints SET ${change} WHERE id = ?`).bind(id).run(),
    );
    expect((await refusal(here, "send-test-webhook", { id })).message).toContain(
      "disabled or deleted in the meantime",
    );
    expect(await deliveriesOf({ id })).toEqual([]);
    const events = env.DB.prepare("SELECT id FROM events WHERE organization_id = ?").bind(
      here.organizationId,
    );
    expect((await events.all()).results).toEqual([]);
    expect(await admin(here, "audit-log", { limit: "1" })).not.toMatchObject([
      { action: "webhook_endpoint.tested" },
    ]);
  },
);

describe("list-webhook-deliveries", () => {
  it("filters by event, time, subject, status and endpoint, in pages, newest first [S13]", async () => {
    const here = await makeWorkspace();
    const [one, two] = [await register(here), await register(here)];
    await insertDeliveries(here, one.id, 7);
    await insertDeliveries(here, two.id, 3, "dead");
    const list = (fields: Record<string, unknown>) =>
      admin<Delivery[]>(here, "list-webhook-deliveries", fields);
    const count = async (fields: Record<string, unknown>) => (await list(fields)).length;
    expect(await count({})).toBe(10);
    expect(await count({ event: "invoice.paid" })).toBe(4);
    expect(await count({ event: "invoice.paid", status: "dead", endpoint: two.id })).toBe(1);
    expect(await count({ since: "2026-01-31T12:59:58+01:00" })).toBe(6);
    expect(await count({ since: "2026-01-31T11:59:58Z", until: "2026-01-31T11:59:59Z" })).toBe(2);
    expect(await count({ endpoint: one.id, status: "dead" })).toBe(0);
    expect(await count({ subject_id: crypto.randomUUID() })).toBe(0);
    await recordEvents(here, 2);
    const [{ subject_id } = { subject_id: "" }] = (
      await env.DB.prepare(
        "SELECT subject_id FROM events WHERE organization_id = ? AND event = 'invoice.sent' LIMIT 1",
      )
        .bind(here.organizationId)
        .all<{ subject_id: string }>()
    ).results;
    expect(await count({ subject_id })).toBe(2);
    expect(await count({ subject_id, endpoint: two.id, status: "pending" })).toBe(1);
    await insertDeliveries(here, one.id, 5, "pending");
    await insertDeliveries(here, two.id, 5, "pending");
    const all = (await list({})).map(({ id }) => id);
    const searches: Record<string, string>[] = [
      {},
      { status: "delivered" },
      { status: "pending" },
      { status: "pending", event: "invoice.sent" },
      { status: "pending", endpoint: one.id },
      { status: "dead", event: "invoice.paid" },
      { endpoint: one.id },
      { endpoint: one.id, event: "invoice.paid" },
      { event: "invoice.sent" },
    ];
    for (const filter of searches) {
      const whole = (await list(filter)).map(({ id }) => id);
      const paged: string[] = [];
      for (let page = await list({ ...filter, limit: "2" }); page.length > 0; ) {
        expect(page.length).toBeLessThanOrEqual(2);
        paged.push(...page.map(({ id }) => id));
        page = await list({ ...filter, limit: "2", cursor: paged.at(-1) });
      }
      expect(paged).toEqual(whole);
      expect(whole).toEqual(all.filter((id) => whole.includes(id)));
      expect(whole.length).toBeGreaterThan(0);
    }
  });

  it("rejects a cursor that is not the id of one of the workspace's deliveries", async () => {
    const [here, there] = [await makeWorkspace(), await makeWorkspace()];
    const foreign = await register(there);
    await insertDeliveries(there, foreign.id, 1);
    const [delivery] = await deliveriesOf(foreign);
    for (const cursor of [crypto.randomUUID(), delivery?.id])
      expect(await refusal(here, "list-webhook-deliveries", { cursor })).toEqual({
        message: "cursor must be the id of a delivery in this workspace",
        hint: "omit cursor to start with the newest",
      });
  });

  it("reads only the page's rows, however many deliveries there are", async () => {
    const here = await makeWorkspace();
    const [busy, quiet] = [await register(here), await register(here)];
    await insertDeliveries(here, quiet.id, 60, "dead");
    await insertDeliveries(here, busy.id, 5_000);
    await insertDeliveries(here, busy.id, 5_000, "pending");
    await insertDeliveries(here, busy.id, 60, "dead");
    const meta = async ({ sql, params }: Query<unknown>) =>
      (
        await env.DB.prepare(sql)
          .bind(...params)
          .run()
      ).meta.rows_read;
    const page = await run(env.DB, listDeliveries(here.organizationId, { limit: 2_500 }));
    const searches: Omit<DeliveryFilter, "limit">[] = [
      {},
      { cursor: page.at(-1)?.id },
      { endpoint: quiet.id },
      { endpoint: busy.id, since: "2026-01-31T11:30:00.000Z", until: "2026-01-31T11:40:00.000Z" },
      { status: "dead" },
      { status: "dead", endpoint: quiet.id },
      { status: "dead", endpoint: busy.id },
      { status: "pending" },
      { status: "pending", endpoint: quiet.id },
      { event: "invoice.paid" },
      { subject_id: crypto.randomUUID() },
    ];
    const read: [string, number][] = [];
    for (const search of searches) {
      read.push([
        JSON.stringify(search),
        await meta(listDeliveries(here.organizationId, { ...search, limit: 50 })),
      ]);
    }
    // These searches read a page of pending deliveries for each endpoint, so they read more rows.
    expect(read.filter(([search, rows]) => rows > (/pending|event/.test(search) ? 2_000 : 120))).toEqual([]);
  });

  it("reads only the page's rows for a record with many events", async () => {
    const here = await makeWorkspace();
    const { id } = await register(here);
    const [quiet, busy] = [crypto.randomUUID(), crypto.randomUUID()];
    for (const [subject, count] of [
      [quiet, 3],
      [busy, 3_000],
    ])
      await env.DB.batch([
        env.DB.prepare(
          `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?3)
           INSERT INTO events (organization_id, event, subject_id, payload)
           SELECT ?1, 'endpoint.test', ?2, '{}' FROM number`,
        ).bind(here.organizationId, subject, count),
        env.DB.prepare(
          `INSERT INTO webhook_deliveries (organization_id, endpoint_id, event_id, event, status, settled_at)
           SELECT organization_id, ?2, id, event, 'delivered', created_at FROM events WHERE subject_id = ?1`,
        ).bind(subject, id),
      ]);
    const page = async (filter: Omit<DeliveryFilter, "limit">) => {
      const { answer, read } = await metered(() =>
        run(env.DB, listDeliveries(here.organizationId, { ...filter, limit: 50 })),
      );
      // An event and a delivery cost two rows each: one in the table and one in an index.
      return {
        ids: answer.map((delivery) => delivery.id),
        isBounded: read < 4 * 50 + 20 + searchLimits.eventsOfSubject || read,
      };
    };
    const { results } = await env.DB.prepare(
      `SELECT webhook_deliveries.id FROM webhook_deliveries JOIN events ON events.id = event_id
       WHERE endpoint_id = ? ORDER BY sequence DESC`,
    )
      .bind(id)
      .all<{ id: string }>();
    const newest = results.map((delivery) => delivery.id);
    const cursor = newest[1_500];
    const isBounded = true;
    expect(await page({ subject_id: busy })).toEqual({ ids: newest.slice(0, 50), isBounded });
    expect(await page({ subject_id: busy, cursor })).toEqual({ ids: newest.slice(1_501, 1_551), isBounded });
    expect((await page({ subject_id: quiet })).ids).toEqual(newest.slice(3_000));
  });
});

describe("a search without a matching index", () => {
  it("scans only the newest deliveries and returns where to continue [N11]", async () => {
    const here = await makeWorkspace();
    const [busy, quiet] = [await register(here), await register(here)];
    await insertDeliveries(here, quiet.id, 1, "dead");
    await insertDeliveries(here, busy.id, 1, "delivered");
    await env.DB.prepare("UPDATE webhook_deliveries SET created_at = '2026-01-01' WHERE organization_id = ?")
      .bind(here.organizationId)
      .run();
    await insertDeliveries(here, busy.id, searchLimits.deliveries, "dead");
    const rare = { status: "dead", endpoint: quiet.id, event: "invoice.sent" };
    expect(await admin<Delivery[]>(here, "list-webhook-deliveries", rare)).toHaveLength(1);
    const search = { event: "invoice.sent", endpoint: busy.id, status: "delivered" };
    const { message, hint } = await refusal(here, "list-webhook-deliveries", search);
    expect(message).toBe("No match among the 450 newest deliveries that were searched");
    const [, cursor = ""] = hint?.split("=") ?? [];
    expect(await admin(here, "list-webhook-deliveries", { ...search, cursor })).toHaveLength(1);
    const browser = await signedIn(here.ownerEmail);
    const address = `/settings/org-${here.organizationId}/deliveries`;
    const page = await browser.read(`${address}?${new URLSearchParams(search)}`);
    expect(page).toContain(`<p>${message}.</p>`);
    expect(page).toMatch(new RegExp(`href="${address}"[^>]*>[^<]*Show all deliveries`));
    const [, older = ""] = /href="([^"]+)"[^>]*>(?:<[^>]+>)*Older/.exec(page) ?? [];
    expect(older).toContain(`cursor=${cursor}`);
    expect(await browser.read(address + older.replaceAll("&amp;", "&"))).toContain(">invoice.sent<");
    await env.DB.prepare(
      `UPDATE webhook_deliveries SET status = 'delivered'
       WHERE id = (SELECT id FROM webhook_deliveries WHERE endpoint_id = ? ORDER BY created_at DESC LIMIT 1)`,
    )
      .bind(busy.id)
      .run();
    expect(await admin(here, "list-webhook-deliveries", search)).toHaveLength(1);
  });
});

/** Pending deliveries in due order, without those that are leased for a minute. */
const pendingOf = async ({ id }: { id: string }) =>
  (
    await env.DB.prepare(
      `SELECT id, cast(round((julianday(next_attempt_at) - 2440587.5) * 86400000) AS INTEGER) AS due_ms
        FROM webhook_deliveries
        WHERE endpoint_id = ? AND status = 'pending'
          AND next_attempt_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+30 seconds') ORDER BY next_attempt_at`,
    )
      .bind(id)
      .all<{ id: string; due_ms: number }>()
  ).results;

describe("replay-webhook-deliveries", () => {
  it("counts the matching deliveries with dry_run, and otherwise replays them under the same ids [S13]", async () => {
    const here = await makeWorkspace();
    const endpoint = await register(here);
    await insertDeliveries(here, endpoint.id, 6, "dead");
    await insertDeliveries(here, endpoint.id, 3, "delivered");
    const replay = (fields: object) =>
      admin(here, "replay-webhook-deliveries", { endpoint: endpoint.id, ...fields });
    expect(await replay({ dry_run: "true" })).toEqual({ matched: 6, replayed: 0 });
    expect(await replay({ dry_run: "true", status: "delivered" })).toEqual({ matched: 3, replayed: 0 });
    expect(await replay({ dry_run: "true", status: "all" })).toEqual({ matched: 9, replayed: 0 });
    expect(await replay({ since: "2026-01-31T11:59:57Z", until: "2026-01-31T11:59:59Z" })).toEqual({
      matched: 2,
      replayed: 2,
    });
    const before = (await deliveriesOf(endpoint)).map(({ id }) => id);
    expect(await replay({ status: "all" })).toMatchObject({ matched: expect.any(Number) });
    expect((await deliveriesOf(endpoint)).map(({ id }) => id)).toEqual(before);
    const [since, until] = ["2026-01-31T11:59:57.000Z", "2026-01-31T11:59:59.000Z"];
    expect(await admin(here, "audit-log", { limit: "2" })).toMatchObject([
      { action: "webhook_deliveries.replayed", details: { status: "all" } },
      { action: "webhook_deliveries.replayed", details: { status: "dead", since, until, matched: 2 } },
    ]);
    await admin(here, "delete-webhook-endpoint", { id: endpoint.id });
    for (const workspace of [here, await makeWorkspace()])
      expect(
        (await refusal(workspace, "replay-webhook-deliveries", { endpoint: endpoint.id })).message,
      ).toContain("There is no webhook endpoint");
  });

  it("replays deliveries in the order in which they settled, and logs the call only once", async () => {
    const here = await makeWorkspace();
    const endpoint = await register(here);
    // Simulates a long earlier replay, so that no delivery becomes due during the test.
    const after = "2099-01-31T12:00:00.000Z";
    await env.DB.prepare("UPDATE webhook_endpoints SET replays_until = ? WHERE id = ?")
      .bind(after, endpoint.id)
      .run();
    await insertDeliveries(here, endpoint.id, 501, "delivered");
    await insertDeliveries(here, endpoint.id, 3, "dead");
    const oldest = (await deliveriesOf(endpoint)).slice(0, 3).map(({ id }) => id);
    const replay = (fields: object) =>
      admin(here, "replay-webhook-deliveries", { endpoint: endpoint.id, status: "all", ...fields });
    expect(await replay({ limit: 3 })).toEqual({ matched: 504, replayed: 3 });
    const replayed = (await deliveriesOf(endpoint)).filter(({ status }) => status === "pending");
    expect(replayed.map(({ id, attempts }) => [id, attempts])).toEqual(oldest.map((id) => [id, 0]));
    // The first delivery is due as soon as the earlier replay ends.
    expect(replayed.map(({ next_attempt_at }) => next_attempt_at).toSorted()[0]).toBe(after);
    const newest = (await deliveriesOf(endpoint)).at(-1)?.id ?? "";
    await env.DB.prepare("UPDATE webhook_deliveries SET settled_at = '2026-01-31T11:00:00.000Z' WHERE id = ?")
      .bind(newest)
      .run();
    expect(await replay({})).toEqual({ matched: 501, replayed: 501 });
    const inOrder = await env.DB.prepare(
      "SELECT id, created_at FROM webhook_deliveries WHERE endpoint_id = ? ORDER BY next_attempt_at",
    )
      .bind(endpoint.id)
      .all<{ id: string; created_at: string }>();
    expect(inOrder.results.slice(0, 4).map(({ id }) => id)).toEqual([...oldest, newest]);
    const others = inOrder.results.filter(({ id }) => id !== newest).map(({ created_at }) => created_at);
    expect(others).toEqual(others.toSorted());
    const log = await admin<{ action: string }[]>(here, "audit-log");
    expect(log.filter(({ action }) => action === "webhook_deliveries.replayed")).toHaveLength(2);
  });

  it("ends when a concurrent replay takes the same deliveries", async () => {
    const here = await makeWorkspace();
    const endpoint = await register(here);
    await insertDeliveries(here, endpoint.id, 3, "dead");
    afterBatch("matched", () =>
      env.DB.prepare("UPDATE webhook_deliveries SET status = 'pending' WHERE endpoint_id = ?")
        .bind(endpoint.id)
        .run(),
    );
    expect(await admin(here, "replay-webhook-deliveries", { endpoint: endpoint.id })).toEqual({
      matched: 3,
      replayed: 0,
    });
  });

  it.each([{}, { dry_run: "true" }])("rejects a disabled endpoint: %o", async (fields) => {
    const here = await makeWorkspace();
    const endpoint = await register(here);
    await insertDeliveries(here, endpoint.id, 3, "dead");
    await admin(here, "disable-webhook-endpoint", { id: endpoint.id });
    expect(
      await refusal(here, "replay-webhook-deliveries", { endpoint: endpoint.id, ...fields }),
    ).toMatchObject({ message: "This endpoint is disabled", hint: "enable it first" });
    expect(new Set((await deliveriesOf(endpoint)).map(({ status }) => status))).toEqual(new Set(["dead"]));
  });

  it("rejects a plan without API access", async () => {
    const here = await makeWorkspace();
    const endpoint = await register(here);
    await insertDeliveries(here, endpoint.id, 3, "dead");
    await admin(here, "set-plan", { plan: "free" });
    expect(await refusal(here, "replay-webhook-deliveries", { endpoint: endpoint.id })).toMatchObject({
      hint: "upgrade_required:api_access",
    });
  });

  it.each([
    ["disabled", "enabled = 0"],
    ["deleted", "deleted_at = created_at"],
  ])("does not replay deliveries for an endpoint that has just been %s", async (_, change) => {
    const here = await makeWorkspace();
    const endpoint = await register(here);
    await insertDeliveries(here, endpoint.id, 3, "dead");
    afterBatch("matched", () =>
      env.DB.prepare(`UPDATE webhook_endpoints SET ${change} WHERE id = ?`).bind(endpoint.id).run(),
    );
    expect(await admin(here, "replay-webhook-deliveries", { endpoint: endpoint.id })).toEqual({
      matched: 3,
      replayed: 0,
    });
    expect(new Set((await deliveriesOf(endpoint)).map(({ status }) => status))).toEqual(new Set(["dead"]));
    expect(await admin(here, "audit-log", { limit: "1" })).not.toMatchObject([
      { action: "webhook_deliveries.replayed" },
    ]);
  });

  it("continues in the next call, and replays a delivery that is dead again last", async () => {
    const here = await makeWorkspace();
    const [endpoint, other] = [await register(here), await register(here)];
    await insertDeliveries(here, endpoint.id, 50, "dead");
    // An earlier replay ended long ago, so the next one is due from now on.
    await env.DB.prepare(
      "UPDATE webhook_endpoints SET replays_until = '2026-01-31T12:00:00.000Z' WHERE id = ?",
    )
      .bind(endpoint.id)
      .run();
    const replay = (limit: number) =>
      admin(here, "replay-webhook-deliveries", { endpoint: endpoint.id, limit });
    expect(await replay(20)).toEqual({ matched: 50, replayed: 20 });
    const moved = env.DB.prepare(
      "SELECT id FROM webhook_endpoints WHERE id IN (?, ?) AND replays_until IS NOT NULL",
    );
    expect((await moved.bind(endpoint.id, other.id).all()).results).toEqual([{ id: endpoint.id }]);
    const first = await pendingOf(endpoint);
    await env.DB.prepare(
      `UPDATE webhook_deliveries SET status = 'dead', settled_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'),
        next_attempt_at = NULL WHERE id = ?`,
    )
      .bind(first.at(-1)?.id)
      .run();
    expect(await replay(30)).toEqual({ matched: 31, replayed: 30 });
    const pending = await pendingOf(endpoint);
    expect(pending.map(({ id }) => id)).not.toContain(first.at(-1)?.id);
    const due = pending.map(({ due_ms }) => due_ms);
    // Deliveries from the first seconds may already be leased or delivered.
    expect(due.length).toBeGreaterThan(5);
    for (const [index, at] of due.slice(1).entries()) expect(at - Number(due[index])).toBeGreaterThan(45);
    expect(await replay(20_000)).toEqual({ matched: 1, replayed: 1 });
    expect(
      (await refusal(here, "replay-webhook-deliveries", { endpoint: endpoint.id, limit: 20_001 })).message,
    ).toBe("limit must be at most 20000");
  });
});

describe("an endpoint's owner", () => {
  const die = (endpoint: { id: string }, count: number) =>
    env.DB.prepare(
      `UPDATE webhook_deliveries SET status = 'dead', settled_at = '2026-01-31T12:00:00.000Z', next_attempt_at = NULL
       WHERE id IN (SELECT id FROM webhook_deliveries WHERE endpoint_id = ? AND status = 'pending' LIMIT ?)`,
    )
      .bind(endpoint.id, count)
      .run();

  it("gets one warning after 10 consecutive dead deliveries and a notice after 20 [W25]", async () => {
    const here = await makeWorkspace();
    const endpoint = await register(here, "status/500");
    const mails = watchMails();
    const told = () =>
      mails.filter(({ to }) => to === here.ownerEmail).map(({ subject }) => subject.replace(/^\S+ /, ""));
    await recordEvents(here, 20);
    await die(endpoint, 9);
    await minute();
    expect(told()).toEqual([]);
    await die(endpoint, 1);
    await minute();
    await minute();
    expect(told()).toEqual(["is failing"]);
    expect(mails.at(-1)?.text).toContain("The last 10 deliveries");
    await die(endpoint, 1);
    await minute();
    expect(told()).toEqual(["is failing"]);
    const page = `https://app.example.com/settings/org-${here.organizationId}/webhooks/${endpoint.id}`;
    expect(mails.at(-1)?.text).toContain(`\n${page}\n`);
    await die(endpoint, 9);
    await minute();
    expect(told()).toEqual(["is failing", "is switched off"]);
  });

  it("gets no warning if a delivery has just succeeded", async () => {
    const here = await makeWorkspace();
    const endpoint = await register(here);
    const mails = watchMails();
    await recordEvents(here, 11);
    await die(endpoint, 10);
    await env.DB.prepare("UPDATE webhook_endpoints SET consecutive_dead = 0 WHERE id = ?")
      .bind(endpoint.id)
      .run();
    await minute();
    expect(mails.filter(({ to }) => to === here.ownerEmail)).toEqual([]);
  });
});
