import { env, exports } from "cloudflare:workers";
import { inject, vi } from "vitest";
import { admin } from "./admin.ts";
import { received } from "./received.ts";
import type { RecordedRequest } from "./receivers/recorder.ts";
import type { Workspace } from "./workspace.ts";

export type Received = RecordedRequest & { body: string };

export interface TestEndpoint {
  id: string;
  secret: string;
  /** The receiver's path, with a part that is unique to this endpoint. */
  path: string;
}

/** Registers an endpoint at the receiver with this `behavior` (test/support/receivers/behaviors.ts). */
export async function register(
  workspace: Pick<Workspace, "organizationId">,
  behavior = "status/200",
  fields: { events?: string; base?: string; headers?: string } = {},
): Promise<TestEndpoint> {
  const { base = inject("receivers").http, ...rest } = fields;
  const path = `/${behavior}/${crypto.randomUUID()}`;
  const { id, secret } = await admin<TestEndpoint>(workspace, "create-webhook-endpoint", {
    url: base + path,
    ...rest,
  });
  return { id, secret, path };
}

/** Inserts a client, and drafts with one line item each. Opening a draft fires an event. */
export async function draftInvoices(workspace: Workspace, count: number): Promise<string[]> {
  const { organizationId, ownerId } = workspace;
  const clientId = crypto.randomUUID();
  const ids = JSON.stringify(Array.from({ length: count }, () => crypto.randomUUID()));
  await env.DB.batch([
    env.DB.prepare("INSERT INTO clients (id, organization_id, company_name) VALUES (?, ?, 'Acme')").bind(
      clientId,
      organizationId,
    ),
    env.DB.prepare(
      `INSERT INTO invoices (id, organization_id, client_id, currency, due_date, subtotal_minor, tax_total_minor,
        total_minor, created_by)
       SELECT value, ?, ?, 'USD', '2099-12-31', 12550, 0, 12550, ? FROM json_each(?)`,
    ).bind(organizationId, clientId, ownerId, ids),
    env.DB.prepare(
      `INSERT INTO invoice_line_items (id, organization_id, invoice_id, position, description, quantity,
        unit_price_minor, amount_minor)
       SELECT 'line of ' || value, ?, value, 1, 'Design', 1, 12550, 12550 FROM json_each(?)`,
    ).bind(organizationId, ids),
  ]);
  return JSON.parse(ids);
}

export const openBySql = (ids: readonly string[]) =>
  env.DB.prepare("UPDATE invoices SET status = 'open' WHERE id IN (SELECT value FROM json_each(?))")
    .bind(JSON.stringify(ids))
    .run();

/** Records `count` events by SQL, so that nothing is enqueued. */
export const recordEvents = async (workspace: Workspace, count: number) =>
  openBySql(await draftInvoices(workspace, count));

/** Inserts an endpoint's deliveries, a second apart, alternating between two events. The newest is from noon. */
export async function insertDeliveries(
  { organizationId }: Pick<Workspace, "organizationId">,
  endpointId: string,
  count: number,
  status = "delivered",
): Promise<void> {
  const event = crypto.randomUUID();
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO events (id, organization_id, event, subject_id, payload)
        VALUES (?, ?, 'endpoint.test', 'seed', '{}')`,
    ).bind(event, organizationId),
    env.DB.prepare(
      `WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < ?1 - 1)
       INSERT INTO webhook_deliveries (organization_id, endpoint_id, event_id, event, status, attempts,
         settled_at, created_at)
       SELECT ?2, ?3, ?4, iif(n % 2, 'invoice.paid', 'invoice.sent'), ?5, 1,
         iif(?5 = 'pending', NULL, '2026-01-31T12:00:00.000Z'),
         strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-31T12:00:00.000Z', '-' || n || ' seconds') FROM number`,
    ).bind(count, organizationId, endpointId, event, status),
  ]);
}

/** Triggers a cron run. The type of `exports` lacks `scheduled`. */
export const minute = async () => {
  await Reflect.get(exports.default, "scheduled")({ cron: "* * * * *" });
};

export interface DeliveryRow {
  id: string;
  endpoint_id: string;
  event: string;
  status: string;
  attempts: number;
  next_attempt_at: string | null;
}

export const deliveriesOf = async ({ id }: Pick<TestEndpoint, "id">): Promise<DeliveryRow[]> =>
  (
    await env.DB.prepare("SELECT * FROM webhook_deliveries WHERE endpoint_id = ? ORDER BY created_at, id")
      .bind(id)
      .all<DeliveryRow>()
  ).results;

/** Waits until each of the endpoint's deliveries has had `attempts` attempts or is settled. */
export const settled = (endpoint: TestEndpoint, attempts = 1, timeout = 15_000): Promise<DeliveryRow[]> =>
  vi.waitFor(
    async () => {
      const rows = await deliveriesOf(endpoint);
      const open = rows.filter((row) => row.status === "pending" && row.attempts < attempts);
      if (rows.length === 0 || open.length > 0) throw new Error(`${open.length} of ${rows.length} are open`);
      return rows;
    },
    { timeout, interval: 25 },
  );

/** Backdates pending deliveries that are not held, so that tests do not wait for a retry. */
export const makeDue = (endpoint: Pick<TestEndpoint, "id">) =>
  env.DB.prepare(
    `UPDATE webhook_deliveries SET next_attempt_at = '2020-01-01T00:00:00.000Z'
     WHERE endpoint_id = ? AND status = 'pending' AND next_attempt_at IS NOT NULL`,
  )
    .bind(endpoint.id)
    .run();

export async function retryNow(endpoint: TestEndpoint, attempts: number): Promise<DeliveryRow[]> {
  await makeDue(endpoint);
  await minute();
  return settled(endpoint, attempts);
}

export const arrived = (endpoint: TestEndpoint, count = 1, timeout = 10_000): Promise<Received[]> =>
  vi.waitFor(
    async () => {
      const requests = await received(endpoint.path);
      if (requests.length < count) throw new Error(`${requests.length} of ${count} arrived`);
      return requests;
    },
    { timeout, interval: 20 },
  );
