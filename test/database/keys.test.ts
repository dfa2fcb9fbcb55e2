import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { nameOf, ownTables } from "../../src/db/rows-of-organization.ts";
import * as processor from "../../src/db/schema/processor.ts";
import * as review from "../../src/db/schema/review.ts";
import * as sessions from "../../src/db/schema/sessions.ts";
import * as webhooks from "../../src/db/schema/webhooks.ts";
import * as work from "../../src/db/schema/work.ts";
import * as workspace from "../../src/db/schema/workspace.ts";
import { type FilledWorkspace, lineItem, makeFilledWorkspace, sql } from "./workspace.ts";

/** Every table whose rows belong to organizations, with its columns. */
const tables = Object.values({ ...workspace, ...work, ...review, ...webhooks, ...processor, ...sessions })
  .filter((table) => is(table, SQLiteTable))
  .map((table) => getTableConfig(table))
  .map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }))
  .filter(({ columns }) => columns.includes("organization_id"));

/**
 * Ids of others (a partner, the payment processor) and of subjects of any kind refer to no table. The token that
 * wrote a row is told, like the actor of the audit log: a key would cost every row an index.
 */
const isReference = (column: string) =>
  /_id$|^created_by$|^sent_by$/.test(column) &&
  !column.startsWith("processor_") &&
  !["organization_id", "external_id", "subject_id", "api_token_id"].includes(column);

/** The columns of each foreign key of a table. */
async function keysOf(table: string): Promise<string[]> {
  const rows = await sql<{ id: number; column: string }>(
    'SELECT id, "from" AS column FROM pragma_foreign_key_list(?) ORDER BY id, seq',
    table,
  );
  return Object.values(Object.groupBy(rows, ({ id }) => id)).map((key = []) =>
    key.map(({ column }) => column).join(),
  );
}

/** Each costs every webhook a row, if it named the organization: an index more on events or deliveries. */
const withoutOrganization = ["webhook_deliveries.event_id", "webhook_attempts.delivery_id"];

/** What SQLite looks up when a row goes that others may refer to: never all rows of a table. */
it.each(tables)("the children in $name of a row that goes are found by an index", async ({ name }) => {
  const keys = [...(await keysOf(name))].filter((key) => key !== "currency");
  for (const key of keys) {
    const where = key.split(",").map((column) => `${column} = 'x'`);
    const plan = await sql<{ detail: string }>(
      `EXPLAIN QUERY PLAN SELECT 1 FROM ${name} WHERE ${where.join(" AND ")}`,
    );
    expect([key, plan.map(({ detail }) => detail).join()]).toEqual([key, expect.stringMatching(/^SEARCH /)]);
  }
});

describe("every reference", () => {
  it.each(tables)("of $name stands in a key that names the organization", async ({ name, columns }) => {
    const keys = await keysOf(name);
    const hasKey = (...key: string[]) => keys.includes(key.join());
    const isKept = (column: string) =>
      hasKey("organization_id", column) ||
      (column === "project_id" && hasKey("client_id", column) && hasKey("organization_id", "client_id")) ||
      (hasKey(column) && withoutOrganization.includes(`${name}.${column}`));
    expect(columns.filter((column) => isReference(column) && !isKept(column))).toEqual([]);
    expect(hasKey("organization_id")).toBe(name !== "webhook_attempts");
  });
});

/** A row of every table of organizations, in a state in which it may still change. */
async function oneOfEach(here: FilledWorkspace): Promise<Record<string, string>> {
  const { own, ownerId: created_by, projectId: project_id, clientId: client_id } = here;
  const webhook_endpoints = await here.endpoint();
  const [deliverables, signedOff] = [await here.deliverable(), await here.deliverable()];
  const sign_offs = await here.signOff(signedOff);
  const webhook_deliveries = String((await here.deliveries(webhook_endpoints))[0]?.id);
  await sql(
    `INSERT INTO webhook_attempts (organization_id, delivery_id, attempt_number, attempted_at, latency_ms)
      VALUES (?, ?, 1, '', 1)`,
    here.organizationId,
    webhook_deliveries,
  );
  const invoices = await here.draft(100);
  const token = { name: "t", token_hash: crypto.randomUUID(), token_prefix: "svc_", scopes: "[]" };
  const processorEvent = { type: "customer.created", kind: "other", outcome: "ignored", occurred_at: "" };
  const evidence = { content: "c", external_id: "e", content_fingerprint: "f" };
  return {
    members: created_by,
    api_tokens: await own("api_tokens", { ...token, created_by }),
    audit_log: await own("audit_log", { actor: "owner@example.com", action: "token.created" }),
    clients: client_id,
    projects: project_id,
    milestones: await own("milestones", { project_id, name: "m", position: 0 }),
    revision_overrides: await own("revision_overrides", { project_id, rounds: 1, reason: "r", created_by }),
    invoices,
    invoice_line_items: await own("invoice_line_items", lineItem(invoices, { position: 1 })),
    time_entries: await here.timeEntry(),
    payments: await here.pay(await here.openInvoice(100), 100),
    deliverables,
    deliverable_versions: await here.version(deliverables, 2),
    deliverable_sends: await here.send(deliverables, 2),
    feedback: await here.feedback(deliverables),
    sign_offs,
    change_orders: await here.changeOrder(),
    change_decisions: await here.changeDecision(),
    deposits: await here.deposit(),
    scope_request_evidence: await own("scope_request_evidence", { client_id, created_by, ...evidence }),
    webhook_endpoints,
    events: await firstEvent(here),
    webhook_deliveries,
    webhook_attempts: webhook_deliveries,
    processor_events: await own("processor_events", processorEvent),
    payment_reversals: await here.takeBack(await here.openInvoice(100), 1),
    ...(await ofReview(here, deliverables)),
    allowed_origins: await own("allowed_origins", { origin: "https://a.example", created_by }),
    mail_counts: here.organizationId,
    stored_images: await image(here),
  };
}

/** Where a table's key is no id. */
const keyOf: Record<string, string> = {
  webhook_attempts: "delivery_id",
  review_keys: "key_hash",
  mail_counts: "organization_id",
  stored_images: "path",
};

/** What a review's page keeps. */
async function ofReview({ own, organizationId }: FilledWorkspace, deliverable_id: string) {
  const mailed = { deliverable_id, email: "a@b.example", expires_at: "2099-01-31T09:30:00.000Z" };
  const key_hash = crypto.randomUUID();
  await sql(
    `INSERT INTO review_keys (key_hash, organization_id, deliverable_id, email, expires_at, attribution)
     VALUES (?, ?, ?, ?, ?, 'mailed_link')`,
    key_hash,
    organizationId,
    ...Object.values(mailed),
  );
  return {
    review_keys: key_hash,
    review_codes: await own("review_codes", { ...mailed, code_hash: "x" }),
    review_notices: await own("review_notices", { deliverable_id, recipient: "owner" }),
  };
}

async function image({ organizationId }: FilledWorkspace): Promise<string> {
  const path = `organizations/${organizationId}/logo.png`;
  await sql(
    "INSERT INTO stored_images (path, organization_id, bytes) VALUES (?, ?, 1)",
    path,
    organizationId,
  );
  return path;
}

const firstEvent = async ({ organizationId }: FilledWorkspace) =>
  String((await sql("SELECT id FROM events WHERE organization_id = ?", organizationId))[0]?.id);

describe("a row", () => {
  it("stays in its organization, whatever its table", async () => {
    const [here, there] = [await makeFilledWorkspace(), await makeFilledWorkspace()];
    const rows = await oneOfEach(here);
    expect(Object.keys(rows).sort()).toEqual(tables.map(({ name }) => name).sort());
    for (const [table, id] of Object.entries(rows)) {
      const key = keyOf[table] ?? "id";
      const moved = sql(`UPDATE ${table} SET organization_id = ? WHERE ${key} = ?`, there.organizationId, id);
      const refusal = /organization_id cannot change|is immutable|the audit log is append-only/;
      await expect(moved, table).rejects.toThrow(refusal);
    }
  });
});

/** The columns of each unique index of a table, of its primary key too. */
async function uniqueSetsOf(table: string): Promise<string[][]> {
  const rows = await sql<{ index: string; column: string }>(
    `SELECT list.name AS "index", info.name AS column
     FROM pragma_index_list(?1) AS list, pragma_index_info(list.name) AS info
     WHERE list."unique" = 1 AND list.partial = 0
     UNION ALL SELECT 'primary key', name FROM pragma_table_info(?1) WHERE pk > 0`,
    table,
  );
  const sets = Object.values(Object.groupBy(rows, ({ index }) => index));
  return sets.map((set = []) => set.map(({ column }) => column));
}

it.each(ownTables.map((own) => [nameOf(own.table), own] as const))(
  "%s: the key of a page names one row, so that the page behind it leaves none out",
  async (name, { table, key }) => {
    const named = key.map((column) =>
      getTableConfig(column.table as SQLiteTable).name === nameOf(table)
        ? column.name
        : `delivery_${column.name}`,
    );
    const given = ["organization_id", ...named];
    const unique = await uniqueSetsOf(name);
    expect(unique.filter((set) => set.every((column) => given.includes(column)))).not.toEqual([]);
  },
);
