import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { callAdmin, admin as inWorkspace } from "../support/admin.ts";
import { coordinatorStub } from "../support/coordinator.ts";
import {
  type FilledWorkspace,
  insert,
  makeFilledWorkspace,
  sql,
  update,
} from "../support/filled-workspace.ts";
import { restoreDatabase, setTripOutcomes } from "../support/outages.ts";
import { call, post } from "../support/partner.ts";
import { signedIn } from "../support/settings.ts";
import { minute } from "../support/webhooks.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

type Report = Record<string, number>;

async function afterRestore(): Promise<Report> {
  const sums: Report = {};
  for (let position: string | undefined; ; ) {
    const outcome = await callAdmin("after-restore", {
      operator: "kim@laptop",
      confirm: "true",
      ...(position && { position }),
    });
    if (!outcome.ok) throw new Error(outcome.message);
    const { next, ...counts } = outcome.result as Record<string, number> & { next: string | null };
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
    if (next === null) return sums;
    position = next;
  }
}

const factsOf = (workspace: Pick<Workspace, "organizationId">) => coordinatorStub(workspace).keptFacts();
const tokenIdOf = async ({ organizationId }: Workspace) =>
  String((await sql("SELECT id FROM api_tokens WHERE organization_id = ?", organizationId))[0]?.id);
const unsent = ({ organizationId }: Workspace) =>
  sql("SELECT * FROM unsent_facts WHERE organization_id = ?", organizationId);

/** Records a token's end only in the coordinator, as after a restore of the database. */
const endIn = async (workspace: Workspace, at = "2026-01-31T09:30:00.000Z") =>
  coordinatorStub(workspace).keepFacts({
    tokenEnds: { [await tokenIdOf(workspace)]: at },
    invoiceNumber: null,
  });

describe("an ended token", () => {
  it("returns 401 even if the database considers it valid [B2]", async () => {
    const workspace = await makeWorkspace();
    expect((await call(workspace, "/api-v1/clients")).status).toBe(200);
    await endIn(workspace);
    await evictDurableObject(coordinatorStub(workspace));
    const answers = [
      await call(workspace, "/api-v1/clients"),
      await call(workspace, "/api-v1/token"),
      await post(workspace, "/api-v1/clients", { client_name: "Nora" }),
      await post(workspace, "/api-v1/clients?dry_run=true", { client_name: "Nora" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(await answers[0]?.json()).toEqual({ error: "Invalid or missing API token" });
    expect(await sql("SELECT id FROM clients WHERE organization_id = ?", workspace.organizationId)).toEqual(
      [],
    );
  });

  it("is accepted until its end", async () => {
    const workspace = await makeWorkspace();
    await endIn(workspace, new Date(Date.now() + 60_000).toISOString());
    expect((await call(workspace, "/api-v1/clients")).status).toBe(200);
  });

  it("is reported to the coordinator by the operation, or by the cron if plain SQL ended it [B2]", async () => {
    const [byAdmin, bySql] = [await makeWorkspace(), await makeWorkspace()];
    await inWorkspace(byAdmin, "revoke-api-token", { id: await tokenIdOf(byAdmin) });
    await expect.poll(async () => (await factsOf(byAdmin)).tokenEnds[await tokenIdOf(byAdmin)]).toBeTruthy();
    const at = "2026-01-31T09:30:00.000Z";
    await update("api_tokens", await tokenIdOf(bySql), { revoked_at: at });
    expect((await factsOf(bySql)).tokenEnds).toEqual({});
    await minute();
    expect((await factsOf(bySql)).tokenEnds).toEqual({ [await tokenIdOf(bySql)]: at });
    expect(await unsent(bySql)).toEqual([]);
  });

  it("is accepted again if plain SQL postpones its end", async () => {
    const workspace = await makeWorkspace();
    const id = await tokenIdOf(workspace);
    await update("api_tokens", id, { expires_at: "2026-01-31T09:30:00.000Z" });
    await minute();
    expect((await factsOf(workspace)).tokenEnds).toEqual({ [id]: "2026-01-31T09:30:00.000Z" });
    await update("api_tokens", id, { expires_at: null });
    await minute();
    expect((await factsOf(workspace)).tokenEnds).toEqual({});
    expect((await call(workspace, "/api-v1/clients")).status).toBe(200);
  });

  it("is reported by a later cron run if the first one fails", async () => {
    const workspace = await makeWorkspace();
    await update("api_tokens", await tokenIdOf(workspace), { revoked_at: "2026-01-31T09:30:00.000Z" });
    setTripOutcomes(() => "lost");
    await minute().finally(restoreDatabase);
    expect(await unsent(workspace)).toHaveLength(1);
    await minute();
    expect(await unsent(workspace)).toEqual([]);
  });
});

describe("after-restore", () => {
  it("fails while the service is open, unless confirm is true [B2]", async () => {
    expect(await callAdmin("after-restore")).toMatchObject({
      ok: false,
      message: expect.stringContaining("The service is open"),
    });
    expect(await callAdmin("after-restore", { confirm: "false" })).toMatchObject({ ok: false });
    expect(await callAdmin("after-restore", { confirm: "true" })).toMatchObject({ ok: true });
  });

  it("fails while the database lacks a migration, and names the migration [B2]", async () => {
    const recorded = await sql<{ id: number; name: string }>(
      "SELECT id, name FROM d1_migrations ORDER BY name",
    );
    for (const { id, name } of recorded) {
      await sql("DELETE FROM d1_migrations WHERE name = ?", name);
      const outcome = await callAdmin("after-restore", { confirm: "true" });
      await sql("INSERT INTO d1_migrations (id, name) VALUES (?, ?)", id, name);
      expect(outcome).toMatchObject({ ok: false, message: `The database is missing the migration ${name}` });
    }
  });

  const invoiceNumber = async (here: FilledWorkspace) =>
    (await sql("SELECT number FROM invoices WHERE id = ?", await here.openInvoice(100)))[0]?.number;

  it("ends the tokens that had ended before the restore [B2]", async () => {
    await afterRestore();
    const [ended, ending] = [await makeWorkspace(), await makeWorkspace()];
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await endIn(ended);
    await endIn(ending, later);
    expect((await afterRestore()).tokens).toBe(2);
    const rowOf = async (workspace: Workspace) =>
      (
        await sql("SELECT revoked_at, expires_at FROM api_tokens WHERE id = ?", await tokenIdOf(workspace))
      )[0];
    expect(await rowOf(ended)).toEqual({ revoked_at: "2026-01-31T09:30:00.000Z", expires_at: null });
    expect(await rowOf(ending)).toEqual({ revoked_at: null, expires_at: later });
    expect((await afterRestore()).tokens).toBe(0);
  });

  it("prevents duplicate invoice numbers [B2]", async () => {
    const here = await makeFilledWorkspace();
    const given = [await invoiceNumber(here), await invoiceNumber(here)];
    await minute();
    await update("organizations", here.organizationId, { next_invoice_number: 1 });
    // Reporting the restored number must not lower the coordinator's.
    await minute();
    expect((await afterRestore()).invoice_numbers).toBe(1);
    expect(given).toEqual(["INV-0001", "INV-0002"]);
    expect(await invoiceNumber(here)).toBe("INV-0003");
    expect((await afterRestore()).invoice_numbers).toBe(0);
  });

  it("ends sessions, sign-in links, invitations and codes [B2]", async () => {
    const here = await makeFilledWorkspace();
    const browser = await signedIn(`owner@${here.organizationId}.example`);
    expect((await browser.rpc("api_scope_catalogue", {})).status).toBe(200);
    await here.own("invitations", {
      email: "invited@example.com",
      role: "admin",
      token_hash: crypto.randomUUID(),
      created_by: here.ownerId,
      expires_at: "2099-01-31T09:30:00.000Z",
    });
    await sql(
      "INSERT INTO sign_in_links (token_hash, email, expires_at) VALUES ('x', 'x@example.com', '2099-01-31T09:30:00.000Z')",
    );
    const report = await afterRestore();
    expect(report.sessions).toBeGreaterThan(0);
    expect(report.sign_in_links).toBeGreaterThan(0);
    expect(report.invitations).toBeGreaterThan(0);
    expect((await browser.rpc("api_scope_catalogue", {})).status).toBe(401);
    for (const table of ["sessions", "sign_in_links", "invitations", "review_codes"])
      expect([table, await sql(`SELECT * FROM ${table}`)]).toEqual([table, []]);
  });

  it("repeats a client's erasure once [B2]", async () => {
    const here = await makeFilledWorkspace();
    const { name } = await inWorkspace<{ name: string }>(here, "erase-client", { id: here.clientId });
    await update("clients", here.clientId, { client_name: "Nora Wind", email: "nora@northwind.example" });
    const feedback = await here.feedback(await here.deliverable());
    expect((await afterRestore()).clients).toBe(1);
    const [client] = await sql("SELECT client_name, email FROM clients WHERE id = ?", here.clientId);
    expect(client).toEqual({ client_name: name, email: null });
    const [words] = await sql("SELECT author_name, body FROM feedback WHERE id = ?", feedback);
    expect(words).toEqual({ author_name: "Erased", body: "[erased]" });
    expect((await afterRestore()).clients).toBe(0);
  });

  it("repeats a workspace's erasure [B2]", async () => {
    const { organizationId } = await makeWorkspace();
    const erase = (position?: string) =>
      callAdmin("erase-organization", {
        organization: organizationId,
        confirm: `org-${organizationId}`,
        ...(position && { position }),
      });
    for (let position: string | undefined; ; ) {
      const outcome = await erase(position);
      if (!outcome.ok) throw new Error(outcome.message);
      const { next } = outcome.result as { next: string | null };
      if (next === null) break;
      position = next;
    }
    await insert("organizations", {
      id: organizationId,
      slug: `org-${organizationId}`,
      name: "Back",
      plan: "agency",
    });
    await insert("members", {
      id: crypto.randomUUID(),
      organization_id: organizationId,
      email: "owner@back.example",
      role: "owner",
    });
    expect((await afterRestore()).organizations).toBe(1);
    expect(await sql("SELECT id FROM organizations WHERE id = ?", organizationId)).toEqual([]);
    expect((await afterRestore()).organizations).toBe(0);
  });

  it("is available only to operators", async () => {
    const browser = await signedIn((await makeWorkspace()).ownerEmail);
    const { status, body } = await browser.rpc("after_restore", {});
    expect([status, body.message]).toEqual([403, "Only the operator of this service can run after-restore"]);
  });
});

it("an erasure marker contains only ids", async () => {
  const here = await makeFilledWorkspace();
  await inWorkspace(here, "erase-client", { id: here.clientId });
  const { objects } = await env.IMAGES.list({ prefix: `erasures/${here.organizationId}/` });
  expect(objects.map(({ key, size }) => [key, size])).toEqual([
    [`erasures/${here.organizationId}/${here.clientId}`, 0],
  ]);
});
