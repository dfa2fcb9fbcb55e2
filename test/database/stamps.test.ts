import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  type FilledWorkspace,
  insert,
  lineItem,
  longAgo,
  makeFilledWorkspace,
  rowById,
  sql,
  update,
  type Values,
} from "../support/filled-workspace.ts";

const old = { created_at: longAgo, updated_at: longAgo };
const updatedAt = async (table: string, id: string) => (await rowById(table, id)).updated_at;
const moves = async (table: string, id: string, change: () => Promise<unknown>) => {
  expect(await updatedAt(table, id)).toBe(longAgo);
  await change();
  expect(String(await updatedAt(table, id)) > longAgo).toBe(true);
};

describe("the updated_at of a changed row [T11]", () => {
  const rows: [table: string, change: Values, add: (here: FilledWorkspace) => Promise<string>][] = [
    [
      "organizations",
      { name: "x" },
      () => insert("organizations", { slug: crypto.randomUUID(), name: "n", plan: "solo", ...old }),
    ],
    [
      "members",
      { name: "x" },
      (here) => here.own("members", { email: "x@example.com", role: "member", ...old }),
    ],
    [
      "invitations",
      { name: "x" },
      (here) =>
        here.own("invitations", {
          email: "x@example.com",
          role: "member",
          token_hash: crypto.randomUUID(),
          created_by: here.ownerId,
          expires_at: "2999-01-01T00:00:00.000Z",
          ...old,
        }),
    ],
    ["brands", { accent: "#c2410c" }, (here) => here.own("brands", old)],
    ["clients", { company_name: "x" }, (here) => here.client(old)],
    ["projects", { status: "completed" }, (here) => here.project(old)],
    [
      "milestones",
      { status: "completed" },
      (here) => here.own("milestones", { project_id: here.projectId, name: "m", position: 0, ...old }),
    ],
    [
      "invoices",
      { notes: "x" },
      (here) =>
        here.own("invoices", {
          client_id: here.clientId,
          currency: "USD",
          subtotal_minor: 0,
          tax_total_minor: 0,
          total_minor: 0,
          created_by: here.ownerId,
          ...old,
        }),
    ],
    [
      "time_entries",
      { description: "x" },
      (here) =>
        here.own("time_entries", {
          project_id: here.projectId,
          client_id: here.clientId,
          user_id: here.ownerId,
          spent_date: "2026-01-31",
          hours: 1,
          currency: "USD",
          ...old,
        }),
    ],
    ["deliverables", { status_label: "x" }, (here) => here.deliverable(old)],
    ["change_orders", { status: "sent" }, (here) => here.changeOrder(old)],
    ["change_decisions", { status: "sent" }, (here) => here.changeDecision(old)],
    ["deposits", { status: "cleared" }, (here) => here.deposit(old)],
    ["webhook_endpoints", { description: "x" }, (here) => here.endpoint(null, old)],
  ];

  it.each(rows)("changes in the same statement in %s", async (table, change, add) => {
    const id = await add(await makeFilledWorkspace());
    await moves(table, id, () => update(table, id, change));
  });

  const settings: [table: string, changes: Values][] = [
    ["organizations", { plan: "agency", currency: "EUR", features: '["x"]', on_send_status_label: "Sent" }],
    [
      "webhook_endpoints",
      {
        url: "https://x.example.com/",
        events: '["money"]',
        enabled: 0,
        secret_encrypted: "x",
        previous_secret_encrypted: "x",
        deleted_at: "2026-01-31T09:30:00.000Z",
      },
    ],
  ];

  it.each(settings)(
    "changes in the same statement in %s, whichever setting changes",
    async (table, changes) => {
      const [, , add] = rows.find(([name]) => name === table) ?? [];
      if (!add) throw new Error(`there is no row of ${table}`);
      for (const [column, value] of Object.entries(changes)) {
        const id = await add(await makeFilledWorkspace());
        await moves(table, id, () => update(table, id, { [column]: value }));
      }
    },
  );

  it("changes in the same statement in every table that has the column", async () => {
    const tables = await sql<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%updated_at TEXT%'",
    );
    expect(tables.map(({ name }) => name).sort()).toEqual(rows.map(([table]) => table).sort());
  });

  it("never moves backwards", async () => {
    const here = await makeFilledWorkspace();
    const future = "2999-01-01T00:00:00.000Z";
    const id = await here.client({ updated_at: future });
    await update("clients", id, { company_name: "x" });
    expect(await updatedAt("clients", id)).toBe(future);
    await update("clients", id, { updated_at: longAgo });
    expect(await updatedAt("clients", id)).toBe(future);
    const deliverable = await here.deliverable({ updated_at: future });
    await update("deliverables", deliverable, { current_state: "signed_off" });
    expect(await updatedAt("deliverables", deliverable)).toBe(future);
  });
});

describe("a resource's updated_at [T11]", () => {
  it("changes when a project's milestone is added, completed or deleted", async () => {
    const here = await makeFilledWorkspace();
    const milestone = (project_id: string, values: Values = {}) =>
      here.own("milestones", { project_id, name: "m", position: 0, ...values });
    const added = await here.project(old);
    await moves("projects", added, () => milestone(added));
    const changed = await here.project(old);
    const id = await milestone(changed, old);
    await moves("projects", changed, () => update("milestones", id, { status: "completed" }));
    const removed = await here.project(old);
    const gone = await milestone(removed, old);
    await moves("projects", removed, () => sql("DELETE FROM milestones WHERE id = ?", gone));
  });

  it("changes when any column of a project's milestone changes, even when the milestone moves to another project", async () => {
    const here = await makeFilledWorkspace();
    const milestone = (project_id: string) =>
      here.own("milestones", { project_id, name: "m", position: 0, ...old });
    const changes = { name: "x", position: 1, due_date: "2026-01-31", amount_minor: 5 };
    for (const [column, value] of Object.entries(changes)) {
      const project = await here.project(old);
      const id = await milestone(project);
      await moves("projects", project, () => update("milestones", id, { [column]: value }));
    }
    const [from, to] = [await here.project(old), await here.project(old)];
    const id = await milestone(from);
    await moves("projects", from, () => update("milestones", id, { project_id: to }));
    expect(String(await updatedAt("projects", to)) > longAgo).toBe(true);
  });

  it("changes when a project's revision rounds change", async () => {
    const here = await makeFilledWorkspace();
    const project_id = await here.project(old);
    const id = await here.deliverable({ project_id });
    await moves("projects", project_id, () => here.version(id, 2));
    const other = await here.project(old);
    await moves("projects", other, () =>
      here.own("revision_overrides", { project_id: other, rounds: 1, reason: "r", created_by: here.ownerId }),
    );
  });

  it("changes when an invoice's line items or payments change", async () => {
    const here = await makeFilledWorkspace();
    const empty = (values: Values = {}) =>
      here.own("invoices", {
        client_id: here.clientId,
        currency: "USD",
        subtotal_minor: 0,
        tax_total_minor: 0,
        total_minor: 0,
        created_by: here.ownerId,
        ...values,
      });
    const added = await empty(old);
    await moves("invoices", added, () => here.own("invoice_line_items", lineItem(added)));
    const changed = await empty(old);
    const line = await here.own("invoice_line_items", lineItem(changed, { created_at: longAgo }));
    await moves("invoices", changed, () => update("invoice_line_items", line, { description: "x" }));
    const removed = await empty(old);
    const gone = await here.own("invoice_line_items", lineItem(removed, { created_at: longAgo }));
    await moves("invoices", removed, () => sql("DELETE FROM invoice_line_items WHERE id = ?", gone));

    const paid = await here.openInvoice(100);
    const before = await updatedAt("invoices", paid);
    await scheduler.wait(5);
    await here.pay(paid, 40);
    expect(String(await updatedAt("invoices", paid)) > String(before)).toBe(true);
  });

  it("changes when a deliverable gets a version, a send, feedback or a sign-off", async () => {
    const here = await makeFilledWorkspace();
    for (const change of [
      (id: string) => here.version(id, 2),
      (id: string) => here.send(id),
      (id: string) => here.feedback(id, "comment"),
      (id: string) => here.feedback(id, "change_request"),
      (id: string) => here.signOff(id),
    ]) {
      const id = await here.deliverable(old);
      await moves("deliverables", id, () => change(id));
    }
  });

  it("changes when a time entry is put on an invoice", async () => {
    const here = await makeFilledWorkspace();
    const time_entry_id = await here.own("time_entries", {
      project_id: here.projectId,
      client_id: here.clientId,
      user_id: here.ownerId,
      spent_date: "2026-01-31",
      hours: 1,
      currency: "USD",
      ...old,
    });
    const invoice = await here.draft(0);
    await moves("time_entries", time_entry_id, () =>
      here.own("invoice_line_items", lineItem(invoice, { position: 1, time_entry_id })),
    );
  });
});

describe("an unedited record's updated_at [T10]", () => {
  it("equals created_at, even in a project with milestones, an invoice with line items and a new deliverable", async () => {
    const here = await makeFilledWorkspace();
    const [project, invoice] = [crypto.randomUUID(), crypto.randomUUID()];
    const write = (text: string, ...params: unknown[]) => env.DB.prepare(text).bind(...params);
    await env.DB.batch([
      write(
        "INSERT INTO projects (id, organization_id, client_id, name, currency) VALUES (?, ?, ?, 'p', 'USD')",
        project,
        here.organizationId,
        here.clientId,
      ),
      write(
        `INSERT INTO milestones (id, organization_id, project_id, name, position, created_at)
          SELECT projects.id || key, organization_id, projects.id, 'm', key, created_at
          FROM projects, json_each('[0,1,2]') WHERE projects.id = ?`,
        project,
      ),
      write(
        `INSERT INTO invoices (id, organization_id, client_id, currency, subtotal_minor, tax_total_minor,
          total_minor, created_by) VALUES (?, ?, ?, 'USD', 0, 0, 0, ?)`,
        invoice,
        here.organizationId,
        here.clientId,
        here.ownerId,
      ),
      write(
        `INSERT INTO invoice_line_items (id, organization_id, invoice_id, position, description, quantity,
          unit_price_minor, amount_minor, created_at) SELECT invoices.id || key, organization_id, invoices.id,
          key, 'd', 1, 0, 0, created_at FROM invoices, json_each('[0,1,2]') WHERE invoices.id = ?`,
        invoice,
      ),
    ]);
    const deliverable = await here.deliverable();
    for (const [table, id] of [
      ["projects", project],
      ["invoices", invoice],
      ["deliverables", deliverable],
    ] as const) {
      const { created_at, updated_at } = await rowById(table, id);
      expect(updated_at, table).toBe(created_at);
    }
  });
});

it("counters do not change an organization's or endpoint's updated_at", async () => {
  const here = await makeFilledWorkspace();
  await update("organizations", here.organizationId, { updated_at: longAgo });
  const before = await rowById("organizations", here.organizationId);
  await here.deliverable();
  const endpoint = await here.endpoint(null, old);
  await update("webhook_endpoints", endpoint, { consecutive_failures: 3 });
  expect(await updatedAt("organizations", here.organizationId)).toBe(before.updated_at);
  expect(await updatedAt("webhook_endpoints", endpoint)).toBe(longAgo);
});
