import { env } from "cloudflare:workers";
import type { DeliveryRow } from "./webhooks.ts";

export type Values = Record<string, string | number | null>;

export const sql = async <T = Values>(text: string, ...params: unknown[]): Promise<T[]> =>
  (
    await env.DB.prepare(text)
      .bind(...params)
      .all<T>()
  ).results;

export async function rowById<T = Values>(table: string, id: string): Promise<T> {
  const [found] = await sql<T>(`SELECT * FROM ${table} WHERE id = ?`, id);
  if (!found) throw new Error(`${table} has no row ${id}`);
  return found;
}

/** Runs a statement at once, or adds it to a batch. */
export type Run = (text: string, ...params: unknown[]) => Promise<unknown>;

export async function insert(table: string, values: Values, run: Run = sql): Promise<string> {
  const id = String(values.id ?? crypto.randomUUID());
  const all = { ...values, id };
  const marks = Object.keys(all).map(() => "?");
  await run(
    `INSERT INTO ${table} (${Object.keys(all).join(", ")}) VALUES (${marks.join(", ")})`,
    ...Object.values(all),
  );
  return id;
}

export const update = (table: string, id: string, values: Values, run: Run = sql) =>
  run(
    `UPDATE ${table} SET ${Object.keys(values)
      .map((column) => `${column} = ?`)
      .join(", ")} WHERE id = ?`,
    ...Object.values(values),
    id,
  );

export type FilledWorkspace = Awaited<ReturnType<typeof makeFilledWorkspace>>;

export async function makeFilledWorkspace({ plan = "agency" } = {}, run: Run = sql) {
  const organizationId = crypto.randomUUID();
  await insert("organizations", { id: organizationId, slug: organizationId, name: "Studio Nord", plan }, run);
  const own = (table: string, values: Values) =>
    insert(table, { organization_id: organizationId, ...values }, run);
  const ownerId = await own("members", { email: `owner@${organizationId}.example`, role: "owner" });
  const client = (values: Values = {}) =>
    own("clients", { company_name: "Acme", email: "contact@acme.example", ...values });
  const clientId = await client();
  const project = (values: Values = {}) =>
    own("projects", { client_id: clientId, name: "Relaunch", currency: "USD", ...values });
  const projectId = await project();

  const version = (deliverableId: string, number: number, values: Values = {}) =>
    own("deliverable_versions", {
      deliverable_id: deliverableId,
      version_number: number,
      title: `Homepage ${number}`,
      previous_hash: number === 1 ? null : `hash ${number - 1}`,
      hash: `hash ${number}`,
      created_by: ownerId,
      created_at: "2026-01-31T09:30:00.000Z",
      ...values,
    });

  return {
    organizationId,
    ownerId,
    clientId,
    projectId,
    own,
    client,
    project,
    version,
    member: (role: string) => own("members", { email: `${crypto.randomUUID()}@example.com`, role }),
    async deliverable(values: Values = {}) {
      const id = await own("deliverables", {
        client_id: clientId,
        project_id: projectId,
        title: "Homepage 1",
        share_url: `https://app.example.com/review/${crypto.randomUUID()}`,
        created_by: ownerId,
        ...values,
      });
      await version(id, 1);
      return id;
    },
    send: (deliverableId: string, number = 1, values: Values = {}) =>
      own("deliverable_sends", {
        deliverable_id: deliverableId,
        version_number: number,
        sent_by: ownerId,
        ...values,
      }),
    feedback: (deliverableId: string, kind = "comment", number = 1) =>
      own("feedback", {
        deliverable_id: deliverableId,
        version_number: number,
        kind,
        body: "Write to me@acme.example",
        author_name: "Ada",
      }),
    signOff: (deliverableId: string, number = 1) =>
      own("sign_offs", { deliverable_id: deliverableId, version_number: number, signer_name: "Ada" }),
    timeEntry: (values: Values = {}) =>
      own("time_entries", {
        project_id: projectId,
        client_id: clientId,
        user_id: ownerId,
        spent_date: "2026-01-31",
        hours: 1.5,
        currency: "USD",
        ...values,
      }),
    async draft(total: number, values: Values = {}) {
      const id = await own("invoices", {
        client_id: clientId,
        project_id: projectId,
        currency: "USD",
        subtotal_minor: total,
        tax_total_minor: 0,
        total_minor: total,
        created_by: ownerId,
        ...values,
      });
      await own("invoice_line_items", lineItem(id, { unit_price_minor: total, amount_minor: total }));
      return id;
    },
    async openInvoice(total: number, values: Values = {}) {
      const id = await this.draft(total, values);
      await update("invoices", id, { status: "open" }, run);
      return id;
    },
    pay: (invoiceId: string, amount: number, via = "stripe") =>
      own("payments", { invoice_id: invoiceId, amount_minor: amount, collected_via: via }),
    /** Inserts a reversal of an invoice's payment. A negative amount means that money was returned. */
    reversePayment: (invoiceId: string, amount: number, kind = "refund") =>
      own("payment_reversals", { invoice_id: invoiceId, amount_minor: amount, kind }),
    changeOrder: (values: Values = {}) =>
      own("change_orders", {
        project_id: projectId,
        title: "Second language",
        amount_minor: 120050,
        currency: "USD",
        created_by: ownerId,
        ...values,
      }),
    changeDecision: (values: Values = {}) =>
      own("change_decisions", {
        project_id: projectId,
        title: "Use the blue one",
        kind: "decision",
        created_by: ownerId,
        ...values,
      }),
    deposit: (values: Values = {}) =>
      own("deposits", {
        project_id: projectId,
        amount_minor: 50000,
        currency: "USD",
        created_by: ownerId,
        ...values,
      }),
    endpoint: (events: readonly string[] | null = null, values: Values = {}) =>
      own("webhook_endpoints", {
        url: "https://receiver.example.com/hook",
        events: events && JSON.stringify(events),
        secret_encrypted: "encrypted",
        created_by: ownerId,
        ...values,
      }),
    async events(): Promise<EventBody[]> {
      const rows = await sql<{ payload: string }>(
        "SELECT payload FROM events WHERE organization_id = ? ORDER BY rowid",
        organizationId,
      );
      return rows.map(({ payload }) => JSON.parse(payload));
    },
    deliveries: (endpointId: string) =>
      sql<Delivery>("SELECT * FROM webhook_deliveries WHERE endpoint_id = ? ORDER BY id", endpointId),
  };
}

interface EventBody {
  event: string;
  created_at: string;
  data: Record<string, unknown>;
}

export interface Delivery extends DeliveryRow {
  event_id: string;
  held_due_at: string | null;
  settled_at: string | null;
}

export const lineItem = (invoiceId: string, values: Values = {}): Values => ({
  invoice_id: invoiceId,
  position: 0,
  description: "Design",
  quantity: 1,
  unit_price_minor: 0,
  amount_minor: 0,
  ...values,
});

/** An old timestamp, so that a test notices when a row is updated. */
export const longAgo = "2020-01-01T00:00:00.000Z";
