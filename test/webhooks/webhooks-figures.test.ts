import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { sendingLimits } from "../../src/contract/webhook-limits.ts";
import { ledgerKeys, recordKnownAnswer } from "../../src/core/ledger/ledger.ts";
import { scheduled } from "../../src/cron/scheduled.ts";
import { type Query, run } from "../../src/db/query.ts";
import { servicesOf } from "../../src/services.ts";
import { deleteEvents, findOldEvents } from "../../src/webhooks/deliveries/purge-events.ts";
import { listDeliveries } from "../../src/webhooks/deliveries/read-deliveries.ts";
import { endpointHealth } from "../../src/webhooks/endpoints/read-endpoints.ts";
import { deliveriesOverTime } from "../../src/webhooks/health/deliveries-over-time.ts";
import { findDueNotices } from "../../src/webhooks/health/notify-owners.ts";
import { deliver } from "../../src/webhooks/sending/deliver.ts";
import { findDue, leaseByIds, leaseDue, sweepDue } from "../../src/webhooks/sending/enqueue-due.ts";
import { loadLeased } from "../../src/webhooks/sending/load-leased.ts";
import { findOverdueAround, findOverdueInvoices } from "../../src/work/invoices/make-overdue.ts";
import { deliveriesOf, insertDeliveries, recordEvents, register } from "../support/webhooks.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

function watched(db: D1Database) {
  const trips: D1Meta[][] = [];
  const watching = new Proxy(db, {
    get(target, name) {
      if (name !== "batch") return Reflect.get(target, name).bind(target);
      return async (statements: D1PreparedStatement[]) => {
        const results = await target.batch(statements);
        trips.push(results.map(({ meta }) => meta as D1Meta));
        return results;
      };
    },
  });
  return { db: watching, trips };
}

const meta = async ({ sql, params }: Query<unknown>) =>
  (
    await env.DB.prepare(sql)
      .bind(...params)
      .run()
  ).meta;

describe("the sender (measured in D1 rows)", () => {
  it("needs one read and one write for a batch of 100 deliveries", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace);
    await recordEvents(workspace, 100);
    const { db, trips } = watched(env.DB);
    // Responds at once and without the per-host limit, which is below a hundred POSTs per second. On a busy machine, a
    // real receiver would not handle a hundred requests within one run.
    const grantPosts = async (_: string, granted: Record<string, number>) => ({
      granted,
      waitSeconds: {},
    });
    const services = { ...servicesOf(env), db, grantPosts, fetch: async () => new Response("ok") };
    const { organizationId } = workspace;
    const leased = await run(env.DB, leaseDue({ organizationId, limit: 100 }));
    const decrypting = vi.spyOn(crypto.subtle, "decrypt");
    const undone = await deliver(services, "fast", leased, createExecutionContext());
    // Keys are cached, so only attempts that start at the same time decrypt the secret.
    expect(decrypting.mock.calls.length).toBeLessThanOrEqual(sendingLimits.connections);
    decrypting.mockRestore();
    expect([...undone]).toEqual([]);
    const rows = await deliveriesOf(endpoint);
    expect(rows.filter(({ status }) => status === "delivered")).toHaveLength(100);
    expect(trips.map((statements) => statements.length)).toEqual([1, 3]);
    const [[read], [settle, log, counts]] = trips as [[D1Meta], [D1Meta, D1Meta, D1Meta]];
    expect(counts).toMatchObject({ changes: 1, rows_written: 1 });
    expect(read.rows_read).toBeLessThanOrEqual(4 * 100);
    // Each delivery writes its row and its entry in the index webhook_deliveries_by_endpoint.
    expect(settle).toMatchObject({ changes: 100, rows_written: 200 });
    expect(log).toMatchObject({ changes: 100, rows_written: 100 });
  });

  it("reads at most eight rows per due delivery in a sweep", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace);
    await recordEvents(workspace, 1000);
    await env.DB.prepare(
      `UPDATE webhook_deliveries SET next_attempt_at = '2099-01-01T00:00:00.000Z'
       WHERE id IN (SELECT id FROM webhook_deliveries WHERE endpoint_id = ? LIMIT 990)`,
    )
      .bind(endpoint.id)
      .run();
    // A due delivery is read, sorted and returned.
    expect((await meta(findDue({ limit: 500 }))).rows_read).toBeLessThanOrEqual(8 * 10);
    const seen = await run(env.DB, findDue({ limit: 500 }));
    const leased = await meta(leaseByIds({ ids: JSON.stringify(seen) }));
    expect(leased.rows_read).toBeLessThanOrEqual(7 * 10 + 1);
    expect(leased.changes).toBe(10);
    expect(
      (await meta(leaseDue({ organizationId: workspace.organizationId, limit: 500 }))).rows_read,
    ).toBeLessThanOrEqual(4);
  });

  it("finds a write's due deliveries through the write's ledger entry", async () => {
    const [workspace, other] = [await makeWorkspace(), await makeWorkspace()];
    const endpoint = await register(workspace);
    const entry = ({ organizationId }: Workspace) =>
      recordKnownAnswer(
        {
          organizationId,
          key: ledgerKeys.idempotencyKey(crypto.randomUUID()),
          fingerprint: "x",
          requestId: crypto.randomUUID(),
          actor: "owner@example.com",
          action: "client.created",
          subjectId: crypto.randomUUID(),
        },
        {},
      );
    const hasDueDeliveries = async (here: Workspace) => (await run(env.DB, entry(here))).hasDueDeliveries;
    expect(await hasDueDeliveries(workspace)).toBe(false);
    await recordEvents(workspace, 200);
    expect([await hasDueDeliveries(workspace), await hasDueDeliveries(other)]).toEqual([true, false]);
    expect((await meta(entry(workspace))).rows_read).toBeLessThanOrEqual(10);
    await env.DB.prepare("UPDATE webhook_endpoints SET enabled = 0 WHERE id = ?").bind(endpoint.id).run();
    expect(await hasDueDeliveries(workspace)).toBe(false);
  });

  it("takes the deliveries that have been due the longest first", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace);
    await recordEvents(workspace, 3);
    await env.DB.prepare(
      `UPDATE webhook_deliveries SET next_attempt_at =
        strftime('%Y-%m-%dT%H:%M:%fZ', '2020-01-31',
          -(SELECT count(*) FROM webhook_deliveries AS other WHERE other.id < webhook_deliveries.id) || ' seconds')
       WHERE endpoint_id = ?`,
    )
      .bind(endpoint.id)
      .run();
    const { results } = await env.DB.prepare(
      "SELECT id FROM webhook_deliveries WHERE endpoint_id = ? ORDER BY next_attempt_at",
    )
      .bind(endpoint.id)
      .all<{ id: string }>();
    const oldest = results.map(({ id }) => id);
    const inTurn = await run(env.DB, findDue({ limit: 500 }));
    expect(inTurn.filter((id) => oldest.includes(id))).toEqual(oldest);
    const { organizationId } = workspace;
    expect(await run(env.DB, leaseDue({ organizationId, limit: 1 }))).toMatchObject([{ id: results[0]?.id }]);
    expect(await run(env.DB, leaseDue({ organizationId, limit: 500 }))).toHaveLength(2);
  });

  it("takes turns among all organizations with due deliveries", async () => {
    const workspaces = await Promise.all([1, 2, 3].map(() => makeWorkspace()));
    const [large, ...small] = await Promise.all(workspaces.map((workspace) => register(workspace)));
    await recordEvents(workspaces[0] as Workspace, 1000);
    for (const workspace of workspaces.slice(1)) await recordEvents(workspace, 2);
    const around = findDue({ limit: 20 });
    const { results, meta: used } = await env.DB.prepare(around.sql)
      .bind(...around.params)
      .all();
    const { results: seen } = await env.DB.prepare(
      `SELECT endpoint_id, count(*) AS deliveries FROM webhook_deliveries WHERE id IN (SELECT value
        FROM json_each(?)) GROUP BY 1`,
    )
      .bind(JSON.stringify(around.read(results)))
      .all<{ endpoint_id: string; deliveries: number }>();
    expect(new Map(seen.map(({ endpoint_id, deliveries }) => [endpoint_id, deliveries]))).toEqual(
      new Map([[large?.id, 16], ...small.map(({ id }): [string, number] => [id, 2])]),
    );
    expect(used.rows_read).toBeLessThan(200);
    const idle = await Promise.all([1, 2, 3, 4, 5].map(() => makeWorkspace()));
    for (const workspace of idle) await insertDeliveries(workspace, (await register(workspace)).id, 5);
    expect((await meta(around)).rows_read).toBe(used.rows_read);
    const enqueued: string[] = [];
    const sendBatch = async (messages: Iterable<{ body: { id: string } }>) =>
      void enqueued.push(...[...messages].map(({ body }) => body.id));
    await sweepDue({ db: env.DB, queues: { fast: { sendBatch }, slow: { sendBatch } } as never });
    expect(await run(env.DB, findDue({ limit: 1 }))).toEqual([]);
    // The large endpoint has more due deliveries than the first query returns.
    for (const endpoint of small)
      for (const { id } of await deliveriesOf(endpoint)) expect(enqueued.indexOf(id)).toBeLessThan(500);
  });

  it("reads at most twelve rows per statement in an idle cron run and writes none", async () => {
    const minute = async () => {
      // Settles deliveries left by other tests.
      await env.DB.prepare(
        "UPDATE webhook_deliveries SET status = 'dead', next_attempt_at = NULL, settled_at = created_at WHERE status = 'pending'",
      ).run();
      await scheduled(servicesOf(env));
      const { db, trips } = watched(env.DB);
      await scheduled({ ...servicesOf(env), db });
      const used = trips.flat();
      // The log line's gauges use a recursion and a sort, which D1 counts even if they find nothing.
      expect(Math.max(...used.map(({ rows_read }) => rows_read))).toBeLessThanOrEqual(12);
      return used;
    };
    // Retries, because an earlier test's attempt may end in the meantime and make its delivery pending again.
    const used = await vi.waitFor(minute, { timeout: 20_000, interval: 500 });
    expect(used.length).toBeLessThanOrEqual(26);
    expect(used.map(({ rows_written }) => rows_written)).toEqual(used.map(() => 0));
  });
});

describe("every query in the sender uses an index", () => {
  const anyId = "00000000-0000-4000-8000-000000000000";
  it.each<[string, Query<unknown>]>([
    ["sweep", findDue({ limit: 100 })],
    ["lease of a sweep's deliveries", leaseByIds({ ids: "[1]" })],
    ["lease for one organization", leaseDue({ organizationId: anyId, limit: 100 })],
    ["load", loadLeased([{ id: anyId, lease: "2099-01-01T00:00:00.000Z" }])],
    ["health figures", endpointHealth(anyId, anyId)],
    ["list", listDeliveries(anyId, { limit: 50 })],
    ["list of dead deliveries", listDeliveries(anyId, { status: "dead", limit: 50 })],
    ["due notices to owners", findDueNotices()],
    ["old events", findOldEvents()],
    ...deleteEvents([anyId]).map((step, index): [string, Query<unknown>] => [
      `purge, step ${index + 1}`,
      step,
    ]),
    ["overdue invoices", findOverdueInvoices()],
    ["overdue invoices around the organizations", findOverdueAround()],
  ])("%s", async (_, { sql, params }) => {
    const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    const scans = plan.results
      .map(({ detail }) => detail)
      .filter(
        (detail) =>
          /^SCAN/.test(detail) &&
          !/^SCAN (wanted|made|counted|day|organization|json_each|\(subquery-\d+\)|CONSTANT ROW)(?= |$)/.test(
            detail,
          ) &&
          !/USING (COVERING )?INDEX webhook_endpoints_to_notify/.test(detail),
      );
    expect(scans).toEqual([]);
  });

  it("the health figures read only indexes, except for the endpoint's row and one day's failures", async () => {
    const { sql, params } = endpointHealth(anyId, anyId);
    const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    const ofDeliveries = plan.results.filter(({ detail }) => detail.includes("webhook_deliveries"));
    expect(ofDeliveries).toHaveLength(5);
    for (const { detail } of ofDeliveries) {
      expect(detail).toMatch(
        /^SEARCH webhook_deliveries USING (COVERING INDEX webhook_deliveries_by_endpoint|INDEX webhook_deliveries_failed)/,
      );
    }
  });

  it.each<[string, Query<unknown>, number]>([
    ["figures", endpointHealth(anyId, anyId), 2],
    ["hours", deliveriesOverTime(anyId, { endpointId: anyId, period: "24h", now: new Date() }), 4],
  ])("the %s of the last 24 hours do not read earlier deliveries", async (_, { sql, params }, searches) => {
    const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    const bounded = plan.results.filter(({ detail }) =>
      /\((?:.* )?(?:settled|failed|replayed)_at>\?\)$/.test(detail),
    );
    expect(bounded).toHaveLength(searches);
  });
});
