import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { scheduled } from "../../src/cron/scheduled.ts";
import { batch, run } from "../../src/db/query.ts";
import { servicesOf } from "../../src/services.ts";
import { findDue } from "../../src/webhooks/sending/enqueue-due.ts";
import { loadLeased } from "../../src/webhooks/sending/load-leased.ts";
import { recordAttempts } from "../../src/webhooks/sending/record-attempts.ts";
import { admin, refusal } from "../support/admin.ts";
import { appRequest, exchangeOf, fetchToken, pressed } from "../support/connect.ts";
import {
  type FilledWorkspace,
  makeFilledWorkspace,
  rowById,
  sql,
  update,
} from "../support/filled-workspace.ts";
import { watchMails } from "../support/mails.ts";
import { call, post } from "../support/partner.ts";
import { postProcessorEvent } from "../support/processor.ts";
import { alertOf, mailedKey, makeReview } from "../support/reviewer.ts";
import { insertEndpoint, ownerAtHome, SettingsBrowser } from "../support/settings.ts";
import { intentSucceeded, stripeIdOf } from "../support/stripe.ts";
import { everyRowOf, makeWholeWorkspace } from "../support/whole-workspace.ts";

type Here = Pick<FilledWorkspace, "organizationId">;

const raise = ({ organizationId }: Here) =>
  sql("INSERT INTO fences (id, hides) VALUES (?, 0)", organizationId);
const lift = ({ organizationId }: Here) => sql("DELETE FROM fences WHERE id = ?", organizationId);

const moving = "This workspace is being moved. Try again after Retry-After seconds";

describe("a fenced workspace", () => {
  it("rejects API writes with a retryable 503 and serves reads [X6]", async () => {
    const { studio, id } = await makeReview();
    const client = { client_name: "Nora" };
    const first = await (await post(studio, "/api-v1/clients", client, "key before")).json<{ id: string }>();
    await raise(studio);
    const writes = [
      await post(studio, "/api-v1/clients", client, "key"),
      await post(studio, `/api-v1/deliverables/${id}/send`, {}),
      await call(studio, "/api-create-deliverable", {
        body: { title: "Logo", client_id: studio.clientId, embed_url: "https://www.example.com/logo" },
      }),
      await call(studio, "/api-v1/clients?dry_run=true", { body: client }),
    ];
    for (const refused of writes) {
      const headers = ["retry-after", "x-should-retry"].map((name) => refused.headers.get(name));
      expect([refused.status, ...headers, await refused.json()]).toEqual([
        503,
        "10",
        "true",
        { error: moving, code: "organization_is_moving" },
      ]);
    }
    const replay = await post(studio, "/api-v1/clients", client, "key before");
    expect(await replay.json()).toMatchObject({ id: first.id, idempotent_replay: true });
    expect((await call(studio, `/api-v1/deliverables/${id}`)).status).toBe(200);
    expect((await post((await makeReview()).studio, "/api-v1/clients", client)).status).toBe(201);
    await lift(studio);
    expect((await post(studio, "/api-v1/clients", client, "key")).status).toBe(201);
  });

  it("rejects changes over RPC and on pages, but lets admins sign in and read [X6]", async () => {
    const { here, browser, base } = await ownerAtHome();
    const { body } = await browser.rpc<{ id: string }>("create_api_token", { name: "CI" });
    await raise(here);
    for (const [name, fields] of [
      ["create_api_token", { name: "Other" }],
      ["roll_api_token", { id: body.id }],
      ["revoke_api_token", { id: body.id }],
    ] as const) {
      const refused = await browser.rpc(name, fields);
      expect([refused.status, refused.body, refused.headers.get("retry-after")]).toEqual([
        503,
        { message: moving, hint: null },
        "10",
      ]);
    }
    const form = await browser.post(`${base}/tokens`, {
      name: "Other",
      scopes: "client:read",
      form_id: crypto.randomUUID(),
    });
    expect([form.status, await form.text()]).toEqual([503, expect.stringContaining(moving)]);
    expect((await browser.post(`${base}/export`)).status).toBe(503);
    expect((await browser.rpc("list_api_tokens")).status).toBe(200);
    expect((await browser.fetch(`${base}/tokens`)).status).toBe(200);
    expect(await refusal(here, "set-plan", { plan: "solo" })).toEqual({ message: moving, hint: null });
    const mails = watchMails();
    await new SettingsBrowser().post("/sign-in", { email: here.ownerEmail });
    await vi.waitFor(() => expect(mails).toHaveLength(1));
    await lift(here);
  });

  it("shows its reviews, and keeps a client's rejected comment in the form [X6]", async () => {
    const { studio, id, visitor } = await makeReview();
    await visitor.follow(`https://app.example.com${visitor.path}/${await mailedKey(id)}`);
    await raise(studio);
    const refused = await visitor.comment("The logo is too small");
    const page = await refused.text();
    expect([refused.status, refused.headers.get("retry-after"), alertOf(page)]).toEqual([
      503,
      "10",
      expect.stringContaining("This workspace is being moved. Nothing was changed."),
    ]);
    expect(page).toContain("The logo is too small</textarea>");
    expect((await visitor.post("verify", { code: "123456" })).status).toBe(503);
    await lift(studio);
    expect((await visitor.comment("The logo is too small")).status).toBe(303);
  });

  it("returns a 503 page for an invitation instead of accepting it [X6]", async () => {
    const { here, browser } = await ownerAtHome();
    const mails = watchMails();
    await browser.rpc("set_member", { email: `kim-${here.organizationId}@example.com`, role: "member" });
    const { pathname } = new URL(/^https:\S+$/m.exec(mails.at(-1)?.text ?? "")?.[0] ?? "");
    await raise(here);
    const refused = await new SettingsBrowser().post(pathname);
    expect([refused.status, await refused.text()]).toEqual([
      503,
      expect.stringContaining("This workspace is being moved"),
    ]);
    await lift(here);
    expect((await new SettingsBrowser().post(pathname)).status).toBe(200);
  });

  it("returns 503 when an app exchanges its code, and the code stays valid [X6]", async () => {
    const { here, browser } = await ownerAtHome();
    const asked = await appRequest();
    const exchange = exchangeOf(asked, (await pressed(browser, asked)).get("code"));
    await raise(here);
    const refused = await fetchToken(exchange);
    expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
      503,
      "10",
      { error: "temporarily_unavailable", error_description: moving },
    ]);
    await lift(here);
    expect((await fetchToken(exchange)).status).toBe(200);
  });

  it("returns a 503 page for a request to stop reminders instead of stopping them [X6]", async () => {
    const { studio, id, visitor } = await makeReview();
    await update("deliverables", id, { reminder_due_at: "2099-01-31T09:30:00.000Z" });
    const stop = `${visitor.path}/${await mailedKey(id)}/reminders`;
    const press = () => visitor.fetch(stop, { method: "POST", headers: { "sec-fetch-site": "same-origin" } });
    await raise(studio);
    const refused = await press();
    expect([refused.status, await refused.text()]).toEqual([
      503,
      expect.stringContaining("This workspace is being moved"),
    ]);
    await lift(studio);
    expect((await press()).status).toBe(303);
    expect((await rowById("deliverables", id)).reminder_due_at).toBeNull();
  });

  it("does not show its sign-offs on /verify while it is hidden [X6]", async () => {
    const { studio, id, visitor } = await makeReview();
    await admin(studio, "sign-off-deliverable", { deliverable: id, signer_name: "Nora Wind" });
    const [signOff] = await sql<{ id: string }>("SELECT id FROM sign_offs WHERE deliverable_id = ?", id);
    const statusOf = async () => (await visitor.fetch(`/verify/${signOff?.id}`)).status;
    expect(await statusOf()).toBe(200);
    await sql("INSERT INTO fences (id, hides) VALUES (?, 1)", studio.organizationId);
    expect(await statusOf()).toBe(404);
    await lift(studio);
  });

  it("returns 503 for payment processor events, and accepts their retries later [X6]", async () => {
    const here = await makeFilledWorkspace();
    const [invoice, deposit] = [await here.openInvoice(10_000), await here.deposit({ amount_minor: 5_000 })];
    const events = [
      intentSucceeded({ intent: stripeIdOf("pi"), amount: 10_000, metadata: { invoice_id: invoice } }),
      intentSucceeded({ intent: stripeIdOf("pi"), amount: 5_000, metadata: { deposit_id: deposit } }),
    ];
    await raise(here);
    for (const event of events) {
      const refused = await postProcessorEvent(event);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "10"]);
      expect(await sql("SELECT 1 FROM processor_events WHERE id = ?", event.id)).toEqual([]);
    }
    await lift(here);
    for (const event of events) expect((await postProcessorEvent(event)).status).toBe(200);
    expect([
      (await rowById("invoices", invoice)).status,
      (await rowById("deposits", deposit)).status,
    ]).toEqual(["paid", "cleared"]);
  });

  it("cannot be changed with plain SQL [X6]", async () => {
    const [here, other] = [await makeWholeWorkspace(), await makeFilledWorkspace()];
    await raise(here);
    const rows = await everyRowOf(here);
    for (const [table, [row]] of rows) {
      const key = table === "organizations" ? "id" : "organization_id";
      expect([table, typeof row]).toEqual([table, "object"]);
      const own = [`UPDATE ${table} SET ${key} = ${key}`, `DELETE FROM ${table}`];
      for (const change of own) {
        const { meta } = await env.DB.prepare(`${change} WHERE ${key} = ?`).bind(here.organizationId).run();
        expect([change, meta.changes]).toEqual([change, 0]);
      }
    }
    expect(await everyRowOf(here)).toEqual(rows);
    await expect(here.client()).rejects.toThrow("organization_is_moving");
    await expect(here.deliverable()).rejects.toThrow("organization_is_moving");
    await sql("UPDATE clients SET company_name = 'Moved' WHERE id IN (?, ?)", here.clientId, other.clientId);
    expect([
      (await rowById("clients", here.clientId)).company_name,
      (await rowById("clients", other.clientId)).company_name,
    ]).toEqual(["Acme", "Moved"]);
    await lift(here);
  });
});

it("every table with workspace data has the fence triggers [X6]", async () => {
  const tables = await sql<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table'
      AND (name = 'organizations' OR sql GLOB '*organization_id TEXT*') ORDER BY name`,
  );
  const fenced = await sql<{ name: string }>(
    `SELECT tbl_name AS name FROM sqlite_master WHERE type = 'trigger' AND sql GLOB '* fences *'
      GROUP BY tbl_name HAVING sum(name IN (tbl_name || '_fenced', tbl_name || '_fenced_update',
        tbl_name || '_fenced_delete')) = 3 ORDER BY name`,
  );
  expect(fenced).toEqual(tables);
});

describe("a job for all workspaces", () => {
  const deliveryOf = async ({ organizationId }: Here) => {
    const [row] = await sql<{ id: string; status: string; attempts: number; next_attempt_at: string }>(
      "SELECT id, status, attempts, next_attempt_at FROM webhook_deliveries WHERE organization_id = ?",
      organizationId,
    );
    if (!row) throw new Error("no delivery");
    return row;
  };
  const makeDue = async () => {
    const here = await makeFilledWorkspace();
    await insertEndpoint(here);
    const id = await here.openInvoice(100, { due_date: "2026-01-31" });
    return { here, id };
  };

  it("skips a fenced workspace in the cron until its fence is lifted [X6]", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const [fenced, other] = [await makeDue(), await makeDue()];
    const mails = watchMails();
    await sql(
      `UPDATE webhook_endpoints SET notice = 'warning', notice_due_at = '2026-01-31', consecutive_dead = 15
        WHERE organization_id IN (?, ?)`,
      fenced.here.organizationId,
      other.here.organizationId,
    );
    await raise(fenced.here);
    const rows = await everyRowOf(fenced.here);
    const due = await run(env.DB, findDue({ limit: 1_000 }));
    expect(due).not.toContain((await deliveryOf(fenced.here)).id);
    expect(due).toContain((await deliveryOf(other.here)).id);
    await scheduled(servicesOf(env));
    expect(await everyRowOf(fenced.here)).toEqual(rows);
    const mailed = () => mails.map(({ to }) => to);
    const ownerOf = ({ here }: typeof fenced) => `owner@${here.organizationId}.example`;
    expect((await rowById("invoices", other.id)).status).toBe("overdue");
    expect([mailed().includes(ownerOf(other)), mailed().includes(ownerOf(fenced))]).toEqual([true, false]);
    await lift(fenced.here);
    await scheduled(servicesOf(env));
    expect((await rowById("invoices", fenced.id)).status).toBe("overdue");
    expect(mailed()).toContain(ownerOf(fenced));
    vi.restoreAllMocks();
  });

  it("still records the attempts of other organizations in a queue batch [X6]", async () => {
    const [fenced, other] = [await makeDue(), await makeDue()];
    const lease = "2099-01-31T09:30:00.000Z";
    const both = [await deliveryOf(fenced.here), await deliveryOf(other.here)];
    for (const { id } of both) await update("webhook_deliveries", id, { next_attempt_at: lease });
    const leased = both.map(({ id }) => ({ id, lease }));
    const [loaded] = await batch(env.DB, [loadLeased(leased)]);
    await raise(fenced.here);
    const [ofOthers] = await batch(env.DB, [loadLeased(leased)]);
    expect(ofOthers.map(({ id }) => id)).toEqual([both[1]?.id]);
    const attempts = loaded.map((delivery) => ({
      delivery,
      attemptedAt: "2026-01-31T09:30:00.000Z",
      outcome: { kind: "answer" as const, status: 200, body: "", retryAfter: null, latencyMs: 5 },
      verdict: { status: "delivered" as const, nextAttemptAt: null, errorClass: null },
    }));
    await batch(env.DB, recordAttempts(attempts));
    const states = [(await deliveryOf(fenced.here)).status, (await deliveryOf(other.here)).status];
    expect(states).toEqual(["pending", "delivered"]);
    await lift(fenced.here);
  });
});
