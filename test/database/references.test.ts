import { describe, expect, it } from "vitest";
import {
  type FilledWorkspace,
  makeFilledWorkspace,
  sql,
  update,
  type Values,
} from "../support/filled-workspace.ts";

const children: [
  column: string,
  table: string,
  add: (here: FilledWorkspace, there: FilledWorkspace) => Promise<unknown>,
][] = [
  [
    "created_by",
    "api_tokens",
    async (here, there) =>
      here.own("api_tokens", {
        name: "t",
        token_hash: crypto.randomUUID(),
        token_prefix: "svc_",
        scopes: "[]",
        created_by: there.ownerId,
      }),
  ],
  ["client_id", "projects", (here, there) => here.project({ client_id: there.clientId })],
  [
    "project_id",
    "milestones",
    (here, there) => here.own("milestones", { project_id: there.projectId, name: "m", position: 0 }),
  ],
  [
    "project_id",
    "revision_overrides",
    (here, there) =>
      here.own("revision_overrides", {
        project_id: there.projectId,
        rounds: 1,
        reason: "r",
        created_by: here.ownerId,
      }),
  ],
  [
    "client_id",
    "invoices",
    (here, there) => here.draft(100, { client_id: there.clientId, project_id: null }),
  ],
  ["project_id", "invoices", (here, there) => here.draft(100, { project_id: there.projectId })],
  [
    "invoice_id",
    "invoice_line_items",
    async (here, there) =>
      here.own("invoice_line_items", {
        invoice_id: await there.draft(100),
        position: 1,
        description: "d",
        quantity: 1,
        unit_price_minor: 0,
        amount_minor: 0,
      }),
  ],
  [
    "time_entry_id",
    "invoice_line_items",
    async (here, there) =>
      here.own("invoice_line_items", {
        invoice_id: await here.draft(100),
        time_entry_id: await there.timeEntry(),
        position: 1,
        description: "d",
        quantity: 1,
        unit_price_minor: 0,
        amount_minor: 0,
      }),
  ],
  [
    "user_id",
    "time_entries",
    (here, there) =>
      here.own("time_entries", {
        project_id: here.projectId,
        client_id: here.clientId,
        user_id: there.ownerId,
        spent_date: "2026-01-31",
        hours: 1,
        currency: "USD",
      }),
  ],
  ["invoice_id", "payments", async (here, there) => here.pay(await there.openInvoice(100), 100)],
  [
    "client_id",
    "deliverables",
    (here, there) => here.deliverable({ client_id: there.clientId, project_id: null }),
  ],
  [
    "deliverable_id",
    "deliverable_versions",
    async (here, there) => here.version(await there.deliverable(), 2),
  ],
  ["deliverable_id", "deliverable_sends", async (here, there) => here.send(await there.deliverable())],
  ["deliverable_id", "feedback", async (here, there) => here.feedback(await there.deliverable())],
  ["deliverable_id", "sign_offs", async (here, there) => here.signOff(await there.deliverable())],
  ["project_id", "change_orders", (here, there) => here.changeOrder({ project_id: there.projectId })],
  ["project_id", "change_decisions", (here, there) => here.changeDecision({ project_id: there.projectId })],
  ["project_id", "deposits", (here, there) => here.deposit({ project_id: there.projectId })],
  [
    "client_id",
    "scope_request_evidence",
    (here, there) =>
      here.own("scope_request_evidence", {
        client_id: there.clientId,
        content: "c",
        external_id: "e",
        created_by: here.ownerId,
        content_fingerprint: "f",
      }),
  ],
  ["created_by", "webhook_endpoints", (here, there) => here.endpoint(null, { created_by: there.ownerId })],
];

describe("a foreign key", () => {
  it.each(children)("rejects another organization's %s in %s", async (_column, _table, add) => {
    const [here, there] = [await makeFilledWorkspace(), await makeFilledWorkspace()];
    await expect(add(here, there)).rejects.toThrow("FOREIGN KEY constraint failed");
    await add(here, here);
  });

  it("cannot be changed to another organization's record", async () => {
    const [here, there] = [await makeFilledWorkspace(), await makeFilledWorkspace()];
    await expect(update("projects", here.projectId, { client_id: there.clientId })).rejects.toThrow(
      "FOREIGN KEY constraint failed",
    );
  });

  it("cannot link a client's record to another client's project", async () => {
    const here = await makeFilledWorkspace();
    const client_id = await here.client();
    for (const make of [here.deliverable, here.timeEntry, (values: Values) => here.draft(100, values)]) {
      await expect(make({ client_id })).rejects.toThrow("FOREIGN KEY constraint failed");
    }
  });
});

describe("an organization", () => {
  it("keeps at least one owner", async () => {
    const { ownerId, member } = await makeFilledWorkspace();
    await expect(update("members", ownerId, { role: "admin" })).rejects.toThrow("last_owner");
    await expect(sql("DELETE FROM members WHERE id = ?", ownerId)).rejects.toThrow("last_owner");
    await member("owner");
    await update("members", ownerId, { role: "admin" });
  });

  it("cannot reinstate a revoked token", async () => {
    const { own, ownerId } = await makeFilledWorkspace();
    const id = await own("api_tokens", {
      name: "t",
      token_hash: crypto.randomUUID(),
      token_prefix: "svc_",
      scopes: "[]",
      created_by: ownerId,
    });
    await update("api_tokens", id, { revoked_at: "2026-01-31T09:30:00.000Z" });
    await expect(update("api_tokens", id, { revoked_at: null })).rejects.toThrow("token_stays_revoked");
  });

  it("loses and regains API access with its plan", async () => {
    const plan = `plan ${crypto.randomUUID()}`;
    await sql("INSERT INTO plans (name, api_access, requests_per_minute) VALUES (?, 1, 60)", plan);
    const [here, there] = [await makeFilledWorkspace(), await makeFilledWorkspace()];
    for (const { own, ownerId } of [here, there]) {
      await own("api_tokens", {
        ...{ name: "t", token_hash: crypto.randomUUID(), token_prefix: "svc_" },
        ...{ scopes: "[]", created_by: ownerId },
      });
    }
    const access = async () =>
      (
        await sql(
          "SELECT has_api_access FROM api_tokens WHERE organization_id IN (?, ?) ORDER BY organization_id = ?",
          ...[here.organizationId, there.organizationId, there.organizationId],
        )
      ).map(({ has_api_access }) => has_api_access);
    const seen = [await access()];
    await update("organizations", here.organizationId, { plan: "free" });
    seen.push(await access());
    await update("organizations", here.organizationId, { plan });
    seen.push(await access());
    await sql("UPDATE plans SET api_access = 0 WHERE name = ?", plan);
    seen.push(await access());
    expect(seen).toEqual([
      [1, 1],
      [0, 1],
      [1, 1],
      [0, 1],
    ]);
  });

  it("cannot change a token's scopes, hash or prefix [A5]", async () => {
    const { own, ownerId } = await makeFilledWorkspace();
    const token = (scopes: string) =>
      own("api_tokens", {
        name: "t",
        token_hash: crypto.randomUUID(),
        token_prefix: "svc_",
        scopes,
        created_by: ownerId,
      });
    const id = await token('["client:read"]');
    const changes: Values[] = [
      { scopes: '["client:read","client:write"]' },
      { scopes: "[]" },
      { token_hash: "another" },
      { token_prefix: "svc_0" },
    ];
    for (const change of changes) {
      await expect(update("api_tokens", id, change)).rejects.toThrow("token_keeps_scopes");
    }
    await update("api_tokens", id, { name: "renamed", scopes: '["client:read"]' });
    for (const scopes of ['"client:read"', '{"client:read":true}', "1", "null", "client:read"]) {
      await expect(token(scopes), scopes).rejects.toThrow("CHECK constraint failed");
    }
    for (const scopes of ["[1]", '["client:read",null]', '[["client:read"]]', '[{"client:read":true}]']) {
      await expect(token(scopes), scopes).rejects.toThrow("scopes_not_texts");
    }
  });

  it("can append to the audit log but not rewrite it", async () => {
    const { own } = await makeFilledWorkspace();
    const id = await own("audit_log", { actor: "owner@example.com", action: "token.created" });
    await expect(update("audit_log", id, { actor: "nobody" })).rejects.toThrow("immutable");
    await expect(sql("DELETE FROM audit_log WHERE id = ?", id)).rejects.toThrow("immutable");
    await expect(
      sql(
        `INSERT OR REPLACE INTO audit_log (sequence, organization_id, actor, action)
          SELECT sequence, organization_id, 'nobody', action FROM audit_log WHERE id = ?`,
        id,
      ),
    ).rejects.toThrow("row_exists");
  });
});
