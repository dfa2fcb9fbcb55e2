import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { ExportFolder } from "../../scripts/admin/export-folder.ts";
import { importFolder } from "../../scripts/admin/import-folder.ts";
import { runSteps } from "../../scripts/admin/run-steps.ts";
import type { AdminOutcome } from "../../src/operations/admin.ts";
import { type TwoCells, twoCells } from "../support/cells.ts";
import { startClock, stopClock } from "../support/clock.ts";
import { appRequest } from "../support/connect.ts";
import { watchMails } from "../support/mails.ts";
import {
  chargeRefunded,
  intentSucceeded,
  type StripeEvent,
  signature,
  stripeIdOf,
} from "../support/stripe.ts";

let cells: TwoCells;
beforeAll(async () => {
  cells = await twoCells();
});

/** Returns an operation's outcome in the command line's format. */
const inJson = async (operation: string, fields: Record<string, unknown>) =>
  JSON.parse(JSON.stringify(await cells.outcomeOf(operation, fields))) as AdminOutcome;

const names = () => `studio-${crypto.randomUUID().slice(0, 8)}`;

async function found(cell?: "a" | "b", owner = `${crypto.randomUUID()}@example.com`) {
  const slug = names();
  const organization = await cells.admin("create-organization", {
    name: slug,
    slug,
    plan: "agency",
    owner_email: owner,
    ...(cell && { cell }),
  });
  const { token, id } = await cells.admin("create-api-token", {
    organization: slug,
    name: "test",
    scopes: "client:read,client:write,deliverable:write",
  });
  return {
    slug,
    token: String(token),
    tokenId: String(id),
    id: String(organization.id),
    prefix: String(organization.link_prefix),
    owner,
  };
}

const apiHeaders = (token: string, more: Record<string, string> = {}) => ({
  apikey: env.GATEWAY_PUBLIC_KEY,
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  ...more,
});

const write = (token: string, key: string = crypto.randomUUID()) =>
  cells.fetch("/api-v1/clients", {
    method: "POST",
    headers: apiHeaders(token, { "idempotency-key": key }),
    body: JSON.stringify({ company_name: "Client" }),
  });

async function receive(event: StripeEvent, headers: Record<string, string> = {}): Promise<number> {
  const body = JSON.stringify(event);
  const signed = { "stripe-signature": await signature(body, env.STRIPE_WEBHOOK_SECRET), ...headers };
  return (await cells.fetch("/processor/stripe", { method: "POST", headers: signed, body })).status;
}

const list = (token: string, more: Record<string, string> = {}) =>
  cells.fetch("/api-v1/clients", { headers: apiHeaders(token, more) });

describe("a partner's request", () => {
  it("reaches its workspace's cell and is replayed there [Z2]", async () => {
    for (const cell of ["a", "b"] as const) {
      const { token, id } = await found(cell);
      expect((await write(token, "one")).status).toBe(201);
      expect((await write(token, "one")).status).toBe(200);
      expect(((await (await list(token)).json()) as { data: unknown[] }).data).toHaveLength(1);
      const database = cell === "a" ? env.DB : env.DB_OF_B;
      expect(
        await database
          .prepare("SELECT count(*) AS n FROM clients WHERE organization_id = ?")
          .bind(id)
          .first("n"),
      ).toBe(1);
    }
  });

  it("gets the same response as from the cell itself, except for ids and Server-Timing [Z2]", async () => {
    const { token, slug } = await found("b");
    const { id } = await (await write(token)).json<{ id: string }>();
    const asked: [string, RequestInit?][] = [
      ["/api-v1/clients"],
      [`/api-v1/clients/${id}`],
      ["/api-v1/clients/nothing"],
      ["/api-v1/nothing"],
      ["/api-v1/clients", { method: "POST", body: "{}" }],
      ["/api-v1/clients", { headers: { apikey: env.GATEWAY_PUBLIC_KEY } }],
      [`/review/${"r".repeat(32)}`, { headers: { accept: "text/html" } }],
      [`/settings/${slug}`, { headers: { accept: "text/html" } }],
      ["/docs"],
      ["/openapi.json"],
    ];
    const isOwn = (name: string) => ["server-timing", "x-ratelimit-remaining"].includes(name);
    const read = async (answered: Response) =>
      JSON.stringify([
        answered.status,
        [...answered.headers].filter(([name]) => !isOwn(name)),
        await answered.text(),
      ]).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "an id");
    // Otherwise, RateLimit-Reset may differ by a second.
    stopClock(new Date().toISOString());
    onTestFinished(startClock);
    for (const [path, init] of asked) {
      const request = { headers: apiHeaders(token), ...init };
      expect(await read(await cells.fetch(path, request))).toBe(
        await read(await cells.fetchFrom("b", path, request)),
      );
    }
  });

  it("gets a 401 for an unknown token, without a query in any cell [Z4]", async () => {
    const unknown = `svc_${"0".repeat(36)}`;
    await cells.settled();
    const direct = await cells.fetchFrom("a", "/api-v1/clients", { headers: apiHeaders(unknown) });
    const spies = [env.DB, env.DB_OF_B].map((db) => vi.spyOn(db, "batch"));
    const answered = await list(unknown);
    expect(answered.status).toBe(401);
    expect(await answered.json()).toEqual(await direct.json());
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });

  it("gets a 401 for a revoked token from the next request on [Z4]", async () => {
    const { token, tokenId, slug } = await found("b");
    expect((await list(token)).status).toBe(200);
    await cells.admin("revoke-api-token", { organization: slug, id: tokenId });
    expect((await list(token)).status).toBe(401);
  });

  it("cannot change anything with forged headers of the front [Z3]", async () => {
    const { token } = await found("b");
    const forged = {
      "x-front-key": "guessed",
      "x-front-token": "unknown",
      "x-front-state": "closed",
      "x-front-cell": "away",
    };
    expect((await list(token, forged)).status).toBe(200);
    const door = await cells.fetchFrom("b", "/api-v1/clients", { headers: apiHeaders(token, forged) });
    expect(door.status).toBe(200);
  });

  it("has the caller's IP address when it reaches the cell [Z3]", async () => {
    const { slug } = await found("b");
    const { token } = await cells.admin("create-api-token", {
      organization: slug,
      name: "office",
      scopes: "client:read",
      allowed_ips: "203.0.113.7",
    });
    const from = async (address: string) =>
      (await list(String(token), { "cf-connecting-ip": address })).status;
    expect([await from("203.0.113.7"), await from("203.0.113.8")]).toEqual([200, 403]);
  });
});

async function exportedAndErased() {
  const { slug, token } = await found("a");
  const folder = new ExportFolder(`/tmp/${crypto.randomUUID()}`);
  const connection = { run: inJson, close: async () => {} };
  await runSteps(connection, "export-organization", { organization: slug, complete: "true" }, folder);
  await runSteps(connection, "erase-organization", { organization: slug, confirm: slug }, undefined);
  return { slug, token, folder };
}

describe("creating a workspace", () => {
  it("accepts a slug only once across all cells, even when two commands run at once [Z5]", async () => {
    const slug = names();
    const create = (cell: string) =>
      cells.outcomeOf("create-organization", {
        name: slug,
        slug,
        plan: "agency",
        owner_email: "o@example.com",
        cell,
      });
    const outcomes = await Promise.all([create("a"), create("b")]);
    expect(outcomes.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(outcomes.find(({ ok }) => !ok)).toMatchObject({ message: "slug is taken" });
  });

  it("creates only one workspace per key, whichever cell a repeated call names [O19, Z2]", async () => {
    const [key, slug] = [crypto.randomUUID(), names()];
    const create = (fields: object) =>
      cells.outcomeOf("create-organization", {
        ...{ name: slug, slug, plan: "agency", owner_email: "o@example.com", key },
        ...fields,
      });
    const made = await create({ cell: "b" });
    expect(made).toMatchObject({ ok: true });
    const { id } = (made as { result: { id: string } }).result;
    for (const fields of [{}, { cell: "b" }])
      expect(await create(fields)).toMatchObject({ ok: true, result: { id, idempotent_replay: true } });
    for (const fields of [{ slug: names() }, { slug: names(), cell: "a" }])
      expect(await create(fields)).toMatchObject({
        ok: false,
        message: expect.stringContaining("was used for a different request"),
      });
    const erasing = { organization: slug, confirm: slug };
    await cells.admin("erase-organization", erasing);
    expect(await create({ cell: "b" })).toMatchObject({ result: { id, idempotent_replay: true } });
  });

  it("does not bind the key of a rejected call to a cell [O19]", async () => {
    const { slug: taken } = await found("a");
    const [key, slug] = [crypto.randomUUID(), names()];
    const fields = { name: slug, plan: "agency", owner_email: "o@example.com", key };
    const rejected = await cells.outcomeOf("create-organization", { ...fields, slug: taken, cell: "a" });
    expect(rejected).toMatchObject({ ok: false, message: "slug is taken" });
    await cells.admin("create-organization", { ...fields, slug, cell: "b" });
    expect(await cells.admin("list-members", { organization: slug })).toMatchObject([{ cell: "b" }]);
  });

  it("returns the same result when repeated with the same key, and so does its erasure [O19]", async () => {
    const { slug, id } = await found("b");
    const erase = () =>
      cells.admin("erase-organization", { organization: slug, confirm: slug, key: `erase ${id}` });
    const { rows } = await erase();
    expect(await erase()).toMatchObject({ id, rows, idempotent_replay: true });
  });

  it("lists the workspaces of all cells, and rejects an unknown cell [Z5]", async () => {
    const { id, slug } = await found("b");
    const listed = await cells.admin<object[]>("list-organizations");
    expect(listed).toContainEqual({ id, slug, name: slug, plan: "agency", cell: "b", state: "open" });
    const inCells = await cells.admin<{ name: string; state: string }[]>("list-cells");
    expect(inCells.map(({ name, state }) => [name, state])).toEqual([
      ["a", "open"],
      ["b", "open"],
    ]);
    expect(await cells.outcomeOf("list-cells", { cell: "c" })).toMatchObject({
      ok: false,
      message: "cell must be one of a, b",
    });
  });

  it("names the cell in each line of an operator's list, and can query one cell only [Z5]", async () => {
    const { slug } = await found("b");
    expect(await cells.admin("list-members", { organization: slug })).toMatchObject([{ cell: "b" }]);
    const inCell = (cell: string) => cells.admin<{ slug: string }[]>("list-organizations", { cell });
    expect((await inCell("b")).map((line) => line.slug)).toContain(slug);
    expect((await inCell("a")).map((line) => line.slug)).not.toContain(slug);
  });

  it("reserves an imported workspace's names at once and lists the workspace when it is complete [Z5]", async () => {
    const { slug, token, folder } = await exportedAndErased();
    const isListed = async () =>
      (await cells.admin<{ slug: string }[]>("list-organizations")).find((line) => line.slug === slug);
    let whileImporting: unknown;
    const run: typeof inJson = async (operation, fields) => {
      if (!whileImporting && String(fields.position).startsWith('["compare"')) {
        const age = "UPDATE organizations SET created_at = '2026-01-01' WHERE slug = ?";
        await cells.directory.prepare(age).bind(slug).run();
        const asked = { name: slug, slug, plan: "agency", owner_email: "o@example.com", cell: "a" };
        whileImporting = [await isListed(), await cells.outcomeOf("create-organization", asked)];
      }
      return inJson(operation, fields);
    };
    const imported = await importFolder(run, { from: folder.path, cell: "b" }, () => {});
    expect(imported).toMatchObject({ ok: true, result: { organization: slug } });
    expect(whileImporting).toMatchObject([undefined, { ok: false, message: "slug is taken" }]);
    expect(await isListed()).toMatchObject({ cell: "b", state: "open" });
    expect((await list(token)).status).toBe(200);
  });

  it("can use the slug of an import that was abandoned before its first rows, a minute later [Z5]", async () => {
    const { slug, token, folder } = await exportedAndErased();
    const begin: typeof inJson = async (operation, fields) => {
      if (fields.position !== undefined) throw new Error("interrupted");
      return inJson(operation, fields);
    };
    const resume = (run: typeof inJson, as?: string) =>
      importFolder(run, { from: folder.path, cell: "b", ...(as && { as }) }, () => {});
    await expect(resume(begin)).rejects.toThrow("interrupted");
    const create = () =>
      cells.outcomeOf("create-organization", {
        ...{ name: slug, slug, plan: "agency", owner_email: "o@example.com", cell: "a" },
      });
    expect(await create()).toMatchObject({ ok: false, message: "slug is taken" });
    const age = "UPDATE organizations SET created_at = '2026-01-01' WHERE slug = ?";
    await cells.directory.prepare(age).bind(slug).run();
    expect(await create()).toMatchObject({ ok: true });
    expect(await resume(inJson)).toMatchObject({ ok: false, message: expect.stringContaining(slug) });
    const other = names();
    expect(await resume(inJson, other)).toMatchObject({ ok: true, result: { organization: other } });
    expect((await list(token)).status).toBe(200);
  });
});

describe("admins and owners", () => {
  const visitor = () => {
    const cookies = new Map<string, string>();
    const visit = async (path: string, init: RequestInit = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await cells.fetch(path, {
        ...init,
        headers: { ...(cookie && { cookie }), ...(init.headers as object) },
      });
      for (const set of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        if (/max-age=0/i.test(set)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return response;
    };
    return {
      visit,
      post: (path: string, fields: Record<string, string> = {}) =>
        visit(path, {
          method: "POST",
          headers: { origin: "null", "sec-fetch-site": "same-origin" },
          body: new URLSearchParams(fields),
        }),
    };
  };

  /** Signs in an owner of several workspaces. */
  async function signedIn(email: string) {
    const mails = watchMails();
    const signing = visitor();
    expect((await signing.post("/sign-in", { email })).status).toBe(303);
    await cells.settled();
    const link = /\/sign-in\/[\w-]{43}/.exec(mails.at(-1)?.text ?? "")?.[0] ?? "";
    expect((await signing.post(link)).headers.get("location")).toBe("/settings");
    return signing;
  }

  it("sign in once, find their workspaces in all cells, and lose access with their role [Z6]", async () => {
    const owner = `${crypto.randomUUID()}@example.com`;
    const one = await found("a", owner);
    const other = await found("b", owner);
    const { visit, post } = await signedIn(owner);
    const page = await (await visit("/settings")).text();
    for (const { slug } of [one, other]) {
      expect(page).toContain(`/settings/${slug}`);
      expect((await visit(`/settings/${slug}/members`)).status).toBe(200);
    }
    // The cells' routers decode the path.
    expect((await visit(`/settings/%73${other.slug.slice(1)}/members`)).status).toBe(200);
    // JSON allows escapes in names, too.
    for (const name of ["organization", "\\u006frganization"]) {
      const rpc = await visit("/rpc/list_members", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: `{"${name}": "${other.slug}"}`,
      });
      expect([rpc.status, await rpc.json()]).toMatchObject([200, [{ email: owner }]]);
    }
    await cells.admin("set-member", { organization: other.slug, email: "next@example.com", role: "owner" });
    await cells.admin("set-member", {
      organization: other.slug,
      email: owner,
      role: "none",
      actor: "next@example.com",
    });
    expect((await visit(`/settings/${other.slug}`)).status).toBe(404);
    expect((await visit("/settings")).headers.get("location")).toBe(`/settings/${one.slug}`);
    await post("/sign-out");
    expect((await visit(`/settings/${one.slug}`)).status).toBe(303);
  });

  it("see within a minute, in every cell, that plain SQL changed a plan's API access [Z6]", async () => {
    const owner = `${crypto.randomUUID()}@example.com`;
    await found("a", owner);
    const { slug } = await found("b", owner);
    const plan = crypto.randomUUID();
    const inEveryCell = (sql: string) =>
      Promise.all([cells.a, cells.b].map(({ DB }) => DB.prepare(sql).bind(plan).run()));
    await inEveryCell("INSERT INTO plans (name, api_access, requests_per_minute) VALUES (?, 0, 60)");
    await cells.admin("set-plan", { organization: slug, plan });
    const { visit } = await signedIn(owner);
    const { address } = await appRequest();
    const canConnect = async () => {
      const [choice = ""] =
        new RegExp(`<input[^>]*value="${slug}"[^>]*>`).exec(await (await visit(address)).text()) ?? [];
      return choice !== "" && !choice.includes("disabled");
    };
    expect(await canConnect()).toBe(false);
    for (const api_access of [1, 0]) {
      await inEveryCell(`UPDATE plans SET api_access = ${api_access} WHERE name = ?`);
      await cells.minute();
      expect(await canConnect()).toBe(api_access === 1);
    }
  });
});

describe("Stripe's events", () => {
  async function openInvoice(): Promise<string> {
    const { id: organization, owner } = await found("b");
    const [client, invoice] = [crypto.randomUUID(), crypto.randomUUID()];
    await env.DB_OF_B.batch([
      env.DB_OF_B.prepare(
        "INSERT INTO clients (id, organization_id, client_name) VALUES (?, ?, 'Client')",
      ).bind(client, organization),
      env.DB_OF_B.prepare(
        `INSERT INTO invoices (id, organization_id, client_id, currency, subtotal_minor, tax_total_minor, total_minor,
            created_by)
          SELECT ?, ?, ?, 'USD', 1000, 0, 1000, id FROM members WHERE email = ?`,
      ).bind(invoice, organization, client, owner),
      env.DB_OF_B.prepare(
        `INSERT INTO invoice_line_items (id, organization_id, invoice_id, position, description, quantity,
            unit_price_minor, amount_minor)
          VALUES (?, ?, ?, 0, 'Design', 1, 1000, 1000)`,
      ).bind(crypto.randomUUID(), organization, invoice),
      env.DB_OF_B.prepare("UPDATE invoices SET status = 'open' WHERE id = ?").bind(invoice),
    ]);
    return invoice;
  }
  const paymentOf = (invoice: string) => ({
    intent: stripeIdOf("pi"),
    amount: 1000,
    metadata: { invoice_id: invoice },
  });

  it("are recorded once, by the cell that has the payment, in whatever order they arrive [Z7]", async () => {
    const paying = paymentOf(await openInvoice());
    const [refund, paid] = [chargeRefunded(paying, 400), intentSucceeded(paying)];
    expect(await receive(refund)).toBe(200);
    await cells.directory.prepare("UPDATE waiting_events SET received_at = '2026-01-01'").run();
    await cells.minute();
    const recorded = async () =>
      Promise.all(
        [env.DB, env.DB_OF_B].map(async (db) => {
          const { results } = await db
            .prepare(
              "SELECT id, outcome FROM processor_events WHERE processor_payment_id = ? ORDER BY received_at",
            )
            .bind(paying.intent)
            .all();
          return results;
        }),
      );
    expect(await recorded()).toEqual([[{ id: refund.id, outcome: "unmatched" }], []]);
    expect(await receive(paid)).toBe(200);
    expect(await receive(paid)).toBe(200);
    expect(await recorded()).toEqual([
      [],
      [
        { id: paid.id, outcome: "payment" },
        { id: refund.id, outcome: "reversal" },
      ],
    ]);
  });

  it("about an unknown payment can be matched with another cell's invoice [Z7]", async () => {
    const invoice = await openInvoice();
    const unknown = intentSucceeded({ ...paymentOf(invoice), metadata: {} });
    expect(await receive(unknown)).toBe(200);
    await cells.directory.prepare("UPDATE waiting_events SET received_at = '2026-01-01'").run();
    await cells.minute();
    const { organization_id } = (await env.DB_OF_B.prepare(
      "SELECT organization_id FROM invoices WHERE id = ?",
    )
      .bind(invoice)
      .first<{ organization_id: string }>()) ?? { organization_id: "" };
    const matched = await cells.admin("match-processor-event", {
      ...{ organization: organization_id, id: unknown.id, invoice },
    });
    expect(matched).toMatchObject({ id: unknown.id, outcome: "payment" });
    const left = "SELECT count(*) AS n FROM processor_events WHERE id = ?";
    expect(await env.DB.prepare(left).bind(unknown.id).first("n")).toBe(0);
    const kept = "SELECT count(*) AS n FROM waiting_events WHERE id = ?";
    expect(await cells.directory.prepare(kept).bind(unknown.id).first("n")).toBe(0);
  });

  const arriveUnknown = async (...events: StripeEvent[]) => {
    for (const event of events) expect(await receive(event)).toBe(200);
    await cells.directory.prepare("UPDATE waiting_events SET received_at = '2026-01-01'").run();
    await cells.minute();
  };
  const organizationOf = (invoice: string) =>
    env.DB_OF_B.prepare("SELECT organization_id FROM invoices WHERE id = ?")
      .bind(invoice)
      .first<string>("organization_id");

  it("about a refund or dispute follow the payment to the cell where it is matched [Y6, Z7]", async () => {
    const invoice = await openInvoice();
    const paying = { ...paymentOf(invoice), metadata: {} };
    const [paid, refund] = [intentSucceeded(paying), chargeRefunded(paying, 400)];
    await arriveUnknown(paid, refund);
    const organization = await organizationOf(invoice);
    await cells.admin("match-processor-event", { organization, id: paid.id, invoice });
    const listed = await cells.admin<object[]>("list-processor-events", { organization });
    expect(listed).toMatchObject([
      { id: refund.id, outcome: "reversal", cell: "b" },
      { id: paid.id, outcome: "payment", cell: "b" },
    ]);
    const { results } = await env.DB.prepare("SELECT id FROM processor_events WHERE processor_payment_id = ?")
      .bind(paying.intent)
      .all();
    expect(results).toEqual([]);
  });

  it("that were matched in the cell named by the command are not matched again in another [Y4, Z7]", async () => {
    const [invoice, other] = [await openInvoice(), await openInvoice()];
    const paid = intentSucceeded({ ...paymentOf(invoice), metadata: {} });
    await arriveUnknown(paid);
    const matching = { organization: await organizationOf(invoice), id: paid.id, invoice, cell: "b" };
    expect(await cells.admin("match-processor-event", matching)).toMatchObject({ outcome: "payment" });
    const kept = "SELECT count(*) AS n FROM waiting_events WHERE id = ?";
    expect(await cells.directory.prepare(kept).bind(paid.id).first("n")).toBe(0);
    const again = { organization: await organizationOf(other), id: paid.id, invoice: other };
    expect((await cells.outcomeOf("match-processor-event", again)).ok).toBe(false);
  });

  it("stay in a cell that has recorded them, even if a crash left them in the directory [Y4, Z7]", async () => {
    const invoice = await openInvoice();
    const paid = intentSucceeded({ ...paymentOf(invoice), metadata: {} });
    await arriveUnknown(paid);
    const { slug } = await found("a");
    await env.DB.prepare(
      `UPDATE processor_events SET organization_id = (SELECT id FROM organizations WHERE slug = ?),
        outcome = 'ignored', unmatched_reason = NULL WHERE id = ?`,
    )
      .bind(slug, paid.id)
      .run();
    const organization = await organizationOf(invoice);
    expect(
      await cells.outcomeOf("match-processor-event", { organization, id: paid.id, invoice }),
    ).toMatchObject({ ok: false, message: `There is no processor event ${paid.id} in this workspace` });
    const there = "SELECT count(*) AS n FROM processor_events WHERE id = ?";
    expect(await env.DB.prepare(there).bind(paid.id).first("n")).toBe(1);
    expect(await env.DB_OF_B.prepare(there).bind(paid.id).first("n")).toBe(0);
  });

  it("are rejected without Stripe's signature, whatever their headers [Z3]", async () => {
    const event = intentSucceeded(paymentOf(await openInvoice()));
    const forged = { "stripe-signature": "t=1,v1=00", "x-front-event": "kept", "x-front-key": "guessed" };
    expect(await receive(event, forged)).toBe(400);
  });

  it("wait for an unavailable cell or a workspace that is moving, and return 500 without the directory [Z7]", async () => {
    const invoice = await openInvoice();
    const ofMoving = intentSucceeded(paymentOf(invoice));
    await env.DB_OF_B.prepare(
      "INSERT INTO fences (id, hides) SELECT organization_id, 0 FROM invoices WHERE id = ?",
    )
      .bind(invoice)
      .run();
    expect(await receive(ofMoving)).toBe(200);
    const event = intentSucceeded(paymentOf(await openInvoice()));
    const other = intentSucceeded(paymentOf(await openInvoice()));
    cells.away.add("directory");
    expect(await receive(other)).toBe(500);
    cells.away.delete("directory");
    cells.away.add("b");
    expect(await receive(event)).toBe(200);
    await cells.directory.prepare("UPDATE waiting_events SET received_at = '2026-01-01'").run();
    await cells.minute();
    cells.away.delete("b");
    await env.DB_OF_B.exec("DELETE FROM fences");
    await cells.minute();
    for (const { id } of [event, ofMoving])
      expect(
        await env.DB_OF_B.prepare("SELECT outcome FROM processor_events WHERE id = ?")
          .bind(id)
          .first("outcome"),
      ).toBe("payment");
  });
});

describe("in a partial outage", () => {
  it("an unavailable cell's workspaces return 503 and an error page, and no others are affected [Z8]", async () => {
    const [here, there] = [await found("a"), await found("b")];
    cells.away.add("b");
    onTestFinished(() => void cells.away.delete("b"));
    const refused = await list(there.token);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await refused.json()).toMatchObject({
      error: expect.stringContaining("could not reach its database"),
    });
    const page = await cells.fetch(`/review/${there.prefix}${"x".repeat(24)}`);
    expect([page.status, await page.text()]).toMatchObject([
      503,
      expect.stringContaining("Nothing was lost"),
    ]);
    expect((await list(here.token)).status).toBe(200);
  });

  it("without the directory, an isolate's known tokens keep working and unknown tokens return 503 [Z8]", async () => {
    const { token } = await found("b");
    expect((await list(token)).status).toBe(200);
    cells.away.add("directory");
    onTestFinished(() => void cells.away.delete("directory"));
    expect((await list(token)).status).toBe(200);
    const unknown = await list(`svc_${"1".repeat(36)}`);
    expect([unknown.status, unknown.headers.get("retry-after")]).toEqual([503, "5"]);
  });

  it("another cell serves requests that belong to no workspace if the first one is closed [Z8]", async () => {
    const { token } = await found("b");
    cells.configure("a", { SERVICE_STATE: "closed" });
    onTestFinished(() => cells.configure("a", { SERVICE_STATE: "open" }));
    const unknown = await list(`svc_${"2".repeat(36)}`);
    const page = async (path: string) => (await cells.fetch(path)).status;
    expect([(await list(token)).status, unknown.status]).toEqual([200, 401]);
    expect([await page("/sign-in"), await page(`/verify/${crypto.randomUUID()}`)]).toEqual([200, 503]);
  });
});

/** Holds a cell's next writes to the directory, which are a batch of several statements, until they are released. */
function holdNextBatch(cell: "a" | "b") {
  const directory = cells[cell].DIRECTORY as D1Database;
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const batch: D1Database["batch"] = async (statements) => {
    if (statements.length === 1) return directory.batch(statements);
    cells.configure(cell, { DIRECTORY: directory });
    reached.resolve();
    await released.promise;
    return directory.batch(statements);
  };
  const holding = new Proxy(directory, {
    get: (target, name) => (name === "batch" ? batch : Reflect.get(target, name)),
  });
  cells.configure(cell, { DIRECTORY: holding });
  return { reached: reached.promise, release: released.resolve };
}

it("a directory write that arrives late does not overwrite a newer one [Z4]", async () => {
  const { slug, tokenId } = await found("b");
  const createToken = () =>
    cells.admin("create-api-token", { organization: slug, name: "late", scopes: "client:read" });
  const status = async ({ token = "" }) => (await list(token)).status;

  const [late, first] = [holdNextBatch("b"), createToken()];
  await late.reached;
  const second = await createToken();
  await cells.admin("revoke-api-token", { organization: slug, id: tokenId });
  late.release();
  expect([await status(await first), await status(second)]).toEqual([200, 200]);
  const tokens =
    "SELECT count(*) AS tokens FROM api_tokens JOIN organizations ON id = organization_id WHERE slug = ?";
  expect(await cells.directory.prepare(tokens).bind(slug).first("tokens")).toBe(2);
});

it("a change during a publish is published afterwards, even if another publish has ended [Z4]", async () => {
  const { id } = await found("b");
  const rename = (name: string) =>
    env.DB_OF_B.prepare("UPDATE organizations SET name = ? WHERE id = ?").bind(name, id).run();
  await rename("First");
  const [late, minute] = [holdNextBatch("b"), cells.minute()];
  await late.reached;
  // Another publish of the same change ends, and then the workspace changes again.
  await env.DB_OF_B.prepare("DELETE FROM directory_changes WHERE id = ?").bind(id).run();
  await rename("Second");
  late.release();
  await minute;
  await cells.minute();
  const entry = cells.directory.prepare("SELECT name FROM organizations WHERE id = ?").bind(id);
  expect(await entry.first("name")).toBe("Second");
});

it("a directory write that arrives late does not restore a deleted workspace [Z5]", async () => {
  const { slug, id } = await found("b");
  const [late, first] = [
    holdNextBatch("b"),
    cells.admin("set-brand", { organization: slug, accent: "#123456" }),
  ];
  await late.reached;
  await cells.admin("erase-organization", { organization: slug, confirm: slug });
  late.release();
  await first;
  expect(
    await cells.directory.prepare("SELECT * FROM organizations WHERE id = ?").bind(id).first(),
  ).toBeNull();
});

it("rebuild-directory restores a lost directory from the cells [Z8]", async () => {
  const { token, slug } = await found("b");
  const kept = async () =>
    (await cells.directory.prepare("SELECT id, cell, slug, state FROM organizations ORDER BY id").all())
      .results;
  const before = await kept();
  for (const table of ["organizations", "api_tokens", "members"])
    await cells.directory.exec(`DELETE FROM ${table}`);
  for (let position: string | null | undefined; position !== null; )
    ({ next: position } = await cells.admin<{ next: string | null }>("rebuild-directory", {
      ...(position && { position }),
    }));
  expect(await kept()).toEqual(before);
  expect((await list(token)).status).toBe(200);
  expect(await cells.admin("list-members", { organization: slug })).toHaveLength(1);
});

it.each(["nothing", "__proto__", "", ":", "a:nothing", "b:\n"])(
  "rebuild-directory rejects the position %j [Z8]",
  async (position) => {
    expect(await cells.outcomeOf("rebuild-directory", { position })).toMatchObject({
      ok: false,
      message: expect.stringContaining("position"),
    });
  },
);

it("SERVICE_STATE at the front closes all cells [Z8]", async () => {
  const { token } = await found("b");
  cells.frontEnv.SERVICE_STATE = "closed";
  onTestFinished(() => void Object.assign(cells.frontEnv, { SERVICE_STATE: "open" }));
  expect([(await list(token)).status, (await cells.fetch("/sign-in")).status]).toEqual([503, 503]);
});
