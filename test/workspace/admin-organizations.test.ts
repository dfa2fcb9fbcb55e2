import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { operations } from "../../src/operations/operations.ts";
import { admin, callAdmin, refusal } from "../support/admin.ts";
import { sql } from "../support/filled-workspace.ts";
import { call, post } from "../support/partner.ts";
import { signedIn } from "../support/settings.ts";
import { makeWorkspace } from "../support/workspace.ts";

const newOrganization = () => ({
  name: "Fern & Co",
  slug: `fern-${crypto.randomUUID().slice(0, 8)}`,
  plan: "solo",
  owner_email: "fern@example.com",
});

describe("create-organization", () => {
  it("returns the organization and adds the owner as a member", async () => {
    const fields = newOrganization();
    const asked = { ...fields, owner_name: "Fern Hale", currency: "EUR" };
    const outcome = await callAdmin("create-organization", asked);
    expect(outcome).toMatchObject({
      ok: true,
      result: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        slug: fields.slug,
        plan: "solo",
        api_access: true,
        currency: "EUR",
      },
    });
    const inIt = { organizationId: fields.slug };
    const owner = { email: "fern@example.com", name: "Fern Hale", role: "owner" };
    expect(await admin(inIt, "list-members")).toMatchObject([owner]);
    expect(await admin(inIt, "audit-log")).toMatchObject([{ action: "organization.created" }]);
    const created = await admin<{ token: string }>(inIt, "create-api-token", {
      name: "First",
      scopes: "client:read",
    });
    expect((await call(created, "/api-v1/clients")).status).toBe(200);
  });

  it.each([
    ["a slug in use", { slug: "taken" }, "slug is taken"],
    ["a slug that looks like an id", { slug: crypto.randomUUID() }, "slug must have"],
    ["a slug that ends with a dash", { slug: "fern-" }, "slug must have"],
    ["a slug with spaces and capitals", { slug: "Not A Slug" }, "slug must have"],
    ["an unknown plan", { plan: "gold" }, "plan must be one of free, solo, studio, agency"],
    ["an invalid owner_email", { owner_email: "fern" }, "owner_email must be an e-mail address"],
    ["an unknown currency", { currency: "XXX" }, "currency must be an ISO 4217 code"],
    ["a missing name", { name: undefined }, "name is required"],
  ])("rejects %s", async (_, fields, message) => {
    await callAdmin("create-organization", { ...newOrganization(), slug: "taken" });
    const outcome = await callAdmin("create-organization", { ...newOrganization(), ...fields });
    expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining(message) });
  });
});

it("list-organizations sorts newest first, even within a millisecond", async () => {
  const insert = env.DB.prepare(
    "INSERT INTO organizations (id, slug, name, plan, created_at) VALUES (?1, ?1, 'Studio', 'solo', ?2)",
  );
  const made = ["first", "second", "third"].map((name) => `${name}-${crypto.randomUUID()}`);
  const moments = ["09:30:00.000", "09:30:00.000", "09:30:00.001"].map((time) => `2026-01-31T${time}Z`);
  await env.DB.batch(made.map((name, index) => insert.bind(name, moments[index])));
  const outcome = await callAdmin("list-organizations");
  const listed = outcome.ok ? (outcome.result as { slug: string }[]).map(({ slug }) => slug) : [];
  expect(listed.filter((slug) => made.includes(slug))).toEqual(made.toReversed());
});

describe("set-limit", () => {
  const ceilingOf = async (here: { token: string }) => {
    const answer = await call(here, "/api-v1/token");
    const { requests_per_minute } = (await answer.json()) as { requests_per_minute: number };
    return [answer.status, answer.headers.get("ratelimit-limit"), requests_per_minute];
  };

  it("sets the limit of one workspace only [A21]", async () => {
    const [here, other] = [await makeWorkspace({ plan: "studio" }), await makeWorkspace({ plan: "studio" })];
    const limited = await admin(here, "set-limit", { requests_per_minute: "2" });
    expect(limited).toMatchObject({ id: here.organizationId, plan: "studio", requests_per_minute: 2 });
    expect(await ceilingOf(here)).toEqual([200, "2", 2]);
    const written = await post(here, "/api-v1/clients", { client_name: "Ada" });
    expect([written.status, written.headers.get("ratelimit-policy")]).toEqual([201, "2;w=60"]);
    const refused = await call(here, "/api-v1/clients");
    expect([refused.status, refused.headers.get("ratelimit-limit")]).toEqual([429, "2"]);
    expect(await admin(here, "usage")).toMatchObject({ room: { requests_per_minute: 2 } });
    const page = await (await signedIn(here.ownerEmail)).fetch(`/settings/org-${here.organizationId}/plan`);
    expect(await page.text()).toMatch(/All tokens together may make 2 requests\s+a minute/);
    expect(await ceilingOf(other)).toEqual([200, "120", 120]);
    expect(await admin(here, "audit-log", { action: "organization.limit_set" })).toMatchObject([
      { action: "organization.limit_set", details: { after: { requests_per_minute: 2 } } },
    ]);
  });

  it("may exceed the plan's limit, and restores the plan's limit with none [A21]", async () => {
    const here = await makeWorkspace({ plan: "studio" });
    await admin(here, "set-limit", { requests_per_minute: "100000" });
    expect(await ceilingOf(here)).toEqual([200, "100000", 100_000]);
    const back = await admin(here, "set-limit", { requests_per_minute: "none" });
    expect(back).toMatchObject({ requests_per_minute: null });
    expect(await ceilingOf(here)).toEqual([200, "120", 120]);
  });

  it.each([
    ["0", "at least 1"],
    ["100001", "at most 100000"],
    ...["1.5", "all", ""].map((wrong) => [wrong, "a whole number from 1 to 100000, or none"]),
  ])("rejects %j, because it must be %s", async (requests_per_minute, must) => {
    const { message } = await refusal(await makeWorkspace(), "set-limit", { requests_per_minute });
    expect(message).toBe(`requests_per_minute must be ${must}`);
  });
});

describe("an admin operation", () => {
  it("requires the workspace's slug or id [O3]", async () => {
    const { organizationId } = await makeWorkspace();
    const byId = await callAdmin("list-members", { organization: organizationId });
    expect(await callAdmin("list-members", { organization: organizationId.toUpperCase() })).toEqual(byId);
    expect(await callAdmin("list-members", { organization: `org-${organizationId}` })).toEqual(byId);
    expect(await callAdmin("list-members", { organization: "nowhere" })).toEqual({
      ok: false,
      message: "There is no organization nowhere",
      hint: "list-organizations names them all",
    });
    for (const none of [{}, { organization: "" }])
      expect(await callAdmin("list-members", none)).toEqual({
        ok: false,
        message: "organization is required (slug or id)",
        hint: "list-organizations names them all",
      });
  });

  it("accepts only an owner or admin as the actor", async () => {
    const workspace = await makeWorkspace();
    for (const role of ["admin", "member", "none"]) {
      await admin(workspace, "set-member", { email: `${role}@example.com`, role });
    }
    const rename = { feature: "connector_api_ingest", enabled: "true" };
    expect(await admin(workspace, "set-feature", { ...rename, actor: "ADMIN@example.com" })).toBeTruthy();
    for (const actor of ["", 5, null]) {
      expect((await refusal(workspace, "set-feature", { ...rename, actor })).message).toBe(
        "actor must be an e-mail address",
      );
    }
    for (const actor of ["member@example.com", "none@example.com", "stranger@example.com"]) {
      expect(await refusal(workspace, "set-feature", { ...rename, actor })).toEqual({
        message: "Only organization admins can change features",
        hint: null,
      });
    }
  });

  it("acts as the longest-standing owner by default", async () => {
    const workspace = await makeWorkspace();
    const own = (email: string, created_at: string, id: string = crypto.randomUUID()) =>
      env.DB.prepare(
        "INSERT INTO members (id, organization_id, email, role, created_at) VALUES (?, ?, ?, 'owner', ?)",
      )
        .bind(id, workspace.organizationId, email, created_at)
        .run();
    const actor = async () => {
      await admin(workspace, "set-on-send-status", { label: "Out" });
      return (await admin<{ actor: string }[]>(workspace, "audit-log", { limit: 1 }))[0]?.actor;
    };
    await own("later@example.com", "2099-01-01T00:00:00.000Z");
    expect(await actor()).toBe(workspace.ownerEmail);
    // All three have the same created_at, and were inserted in an order different from that of their names and ids.
    const founders = ["zoe@example.com", "abe@example.com", "mia@example.com"];
    for (const [index, email] of founders.entries())
      await own(email, "2020-01-01T00:00:00.000Z", `${[8, 0, 4][index]}${crypto.randomUUID().slice(1)}`);
    expect(await actor()).toBe("zoe@example.com");
    const listed = (await admin<{ email: string }[]>(workspace, "list-members")).map(({ email }) => email);
    expect(listed).toEqual(["later@example.com", workspace.ownerEmail, ...founders.toReversed()]);
  });

  it.each(
    Object.entries(operations).flatMap(([name, operation]) =>
      operation.kind === "workspace" ? [[name, operation.action] as const] : [],
    ),
  )("%s rejects anyone but an admin before it checks the fields", async (name, action) => {
    const workspace = await makeWorkspace();
    const refused = await refusal(workspace, name, { actor: "nobody@example.com", nonsense: "x" });
    expect(refused).toEqual({ message: `Only organization admins can ${action}`, hint: null });
  });

  it("returns an error with the known operations or fields for an unknown one", async () => {
    const workspace = await makeWorkspace();
    expect(await refusal(workspace, "drop-everything")).toEqual({
      message: "Unknown operation: drop-everything",
      hint: expect.stringContaining("create-api-token"),
    });
    expect((await refusal(workspace, "list-webhok-deliveries")).hint).toBe(
      "did you mean list-webhook-deliveries?",
    );
    expect((await refusal(workspace, "constructor")).message).toBe("Unknown operation: constructor");
    expect(await refusal(workspace, "set-plan", { plam: "solo" })).toEqual({
      message: "plam is not a known field",
      hint: "fields: plan",
    });
  });

  it("is not reachable over HTTP", async () => {
    const workspace = await makeWorkspace();
    expect((await call(workspace, "/admin")).status).toBe(404);
  });
});

describe("workspace settings", () => {
  it("set-plan accepts only an existing plan", async () => {
    const workspace = await makeWorkspace();
    expect(await admin(workspace, "set-plan", { plan: "studio" })).toMatchObject({ plan: "studio" });
    expect((await refusal(workspace, "set-plan", { plan: "gold" })).message).toMatch(/^plan must be one of /);
    expect(await admin<object[]>(workspace, "audit-log")).toMatchObject([
      {
        action: "organization.plan_set",
        details: { before: { plan: "agency" }, after: { plan: "studio" } },
      },
    ]);
  });

  it("create-organization and set-plan warn when all plans together exceed 70 % of a database [O16]", async () => {
    const workspace = await makeWorkspace();
    await admin(workspace, "set-plan", { plan: "solo" });
    const caps = await sql<{ name: string; records_cap: number }>("SELECT name, records_cap FROM plans");
    const [{ solos } = { solos: 0 }] = await sql<{ solos: number }>(
      "SELECT count(*) AS solos FROM organizations WHERE plan = 'solo'",
    );
    const capOf = (records: number, plan: string) =>
      sql("UPDATE plans SET records_cap = ? WHERE name = ?", records, plan);
    for (const { name } of caps) await capOf(0, name);
    const founding = { name: "Next", plan: "free", owner_email: "next@example.com" };
    const warningOf = async (operation: string, fields: Record<string, unknown>) =>
      (await admin<{ room_warning: string | null }>(workspace, operation, fields)).room_warning;
    const most = Math.floor((0.7 * 10_000_000_000) / limits.bytesOfRecord);
    await capOf(Math.floor(most / solos), "solo");
    expect(await warningOf("set-plan", { plan: "solo" })).toBeNull();
    expect(await warningOf("create-organization", { ...founding, slug: "next-before" })).toBeNull();
    await capOf(Math.floor(most / solos) + 1, "solo");
    for (const [operation, fields] of [
      ["set-plan", { plan: "solo" }],
      ["create-organization", { ...founding, slug: "next-after" }],
    ] as const)
      expect(await warningOf(operation, fields)).toMatch(
        /^The plans of all workspaces allow \d+ records, 70 % /,
      );
    for (const { name, records_cap } of caps) await capOf(records_cap, name);
  });

  it("set-feature turns connector_api_ingest on or off from the next request on", async () => {
    const workspace = await makeWorkspace({ features: [] });
    const client = await admin<{ id: string }>(workspace, "create-client", { company_name: "Acme" });
    const ingest = () => post(workspace, "/api-ingest-request", { content: "More!", client_id: client.id });
    expect((await ingest()).status).toBe(403);
    await admin(workspace, "set-feature", { feature: "connector_api_ingest", enabled: "true" });
    expect(
      await admin(workspace, "set-feature", { feature: "connector_api_ingest", enabled: true }),
    ).toMatchObject({ features: ["connector_api_ingest"] });
    expect((await ingest()).status).toBe(201);
    expect(
      await admin(workspace, "set-feature", { feature: "connector_api_ingest", enabled: "false" }),
    ).toMatchObject({ features: [] });
    expect((await ingest()).status).toBe(403);
    expect((await refusal(workspace, "set-feature", { feature: "magic", enabled: "true" })).message).toBe(
      "feature must be connector_api_ingest",
    );
    expect(
      (await refusal(workspace, "set-feature", { feature: "connector_api_ingest", enabled: "on" })).message,
    ).toBe("enabled must be a boolean");
  });

  it("set-on-send-status sets the label, or removes it if no label is given", async () => {
    const workspace = await makeWorkspace();
    expect(await admin(workspace, "set-on-send-status", { label: "Out" })).toMatchObject({
      on_send_status_label: "Out",
    });
    for (const without of [{}, { label: "" }]) {
      await admin(workspace, "set-on-send-status", { label: "Out" });
      expect(await admin(workspace, "set-on-send-status", without)).toMatchObject({
        on_send_status_label: null,
      });
    }
  });

  it("set-member changes a role, but not that of the last owner", async () => {
    const workspace = await makeWorkspace();
    const made = await admin(workspace, "set-member", {
      email: "kim@example.com",
      role: "member",
      name: "Kim",
    });
    expect(made).toMatchObject({ email: "kim@example.com", role: "member", name: "Kim" });
    expect(await admin(workspace, "set-member", { email: "KIM@example.com", role: "admin" })).toMatchObject({
      id: made.id,
      role: "admin",
      name: "Kim",
    });
    expect(await refusal(workspace, "set-member", { email: workspace.ownerEmail, role: "admin" })).toEqual({
      message: "A workspace needs at least one owner. Make another member an owner first",
      hint: null,
    });
    expect((await refusal(workspace, "set-member", { email: "x@example.com", role: "boss" })).message).toBe(
      "role must be one of owner, admin, member, none",
    );
  });

  it("set-member records the e-mail address in the audit log in the workspace's spelling", async () => {
    const workspace = await makeWorkspace();
    const email = "kym@example.com";
    await admin(workspace, "set-member", { email, role: "admin" });
    await admin(workspace, "set-member", { email: "KYM@example.com", role: "none" });
    const log = await admin<{ action: string; subject_id: string }[]>(workspace, "audit-log");
    const told = log.filter(({ action }) => action === "member.set").map(({ subject_id }) => subject_id);
    expect(told).toEqual([email, email]);
  });

  it("set-member does not let an admin change a member who has just become an owner", async () => {
    const workspace = await makeWorkspace();
    const [actor, email] = ["admin@example.com", "kim@example.com"];
    for (const each of [actor, email]) await admin(workspace, "set-member", { email: each, role: "admin" });
    const batch = env.DB.batch.bind(env.DB);
    let isOwner = false;
    const spy = vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
      const answers = await batch<Record<string, unknown>>(statements);
      const isRead = answers.some(({ results }) => results.some((row) => row.email === email));
      if (isRead && !isOwner) {
        isOwner = true;
        await env.DB.prepare("UPDATE members SET role = 'owner' WHERE organization_id = ? AND email = ?")
          .bind(workspace.organizationId, email)
          .run();
      }
      return answers as never;
    });
    const answered = await refusal(workspace, "set-member", { email, role: "member", actor });
    spy.mockRestore();
    expect(answered.message).toBe("Only owners can change owners");
    expect(await admin(workspace, "list-members")).toContainEqual(
      expect.objectContaining({ email, role: "owner" }),
    );
    const log = await admin<{ subject_id: string }[]>(workspace, "audit-log");
    expect(log.filter(({ subject_id }) => subject_id === email)).toHaveLength(1);
  });

  it("audit-log lists the newest entries up to the limit", async () => {
    const workspace = await makeWorkspace();
    for (const label of ["one", "two", "three"]) await admin(workspace, "set-on-send-status", { label });
    const entries = await admin<{ details: object }[]>(workspace, "audit-log", { limit: "2" });
    const moved = (before: string, after: string) => ({
      before: { on_send_status_label: before },
      after: { on_send_status_label: after },
    });
    expect(entries.map(({ details }) => details)).toEqual([moved("two", "three"), moved("one", "two")]);
    expect((await refusal(workspace, "audit-log", { limit: "0" })).message).toBe("limit must be at least 1");
    expect((await refusal(workspace, "audit-log", { limit: "many" })).message).toBe("limit must be a number");
  });

  it("audit-log includes since and excludes until", async () => {
    const workspace = await makeWorkspace();
    const insert = env.DB.prepare(
      "INSERT INTO audit_log (organization_id, actor, action, created_at) VALUES (?, 'kim', ?, ?)",
    );
    const seconds = ["28", "29", "30", "31", "32"];
    await env.DB.batch(
      seconds.map((second) =>
        insert.bind(workspace.organizationId, second, `2026-01-31T09:30:${second}.000Z`),
      ),
    );
    const actionsIn = async (time: Record<string, string>) =>
      (await admin<{ action: string }[]>(workspace, "audit-log", time)).map(({ action }) => action);
    const [since, until] = ["2026-01-31T09:30:29Z", "2026-01-31T10:30:31+01:00"];
    expect(await actionsIn({ since, until })).toEqual(["30", "29"]);
    expect(await actionsIn({ since })).toEqual(["32", "31", "30", "29"]);
    expect(await actionsIn({ until, limit: "2" })).toEqual(["30", "29"]);
    expect((await refusal(workspace, "audit-log", { until: "noon" })).message).toMatch(/^until must be /);
  });

  it("audit-log lists newest first, even within a millisecond", async () => {
    const workspace = await makeWorkspace();
    const labels = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
    const insert = env.DB.prepare(
      `INSERT INTO audit_log (id, organization_id, actor, action, details, created_at)
       VALUES (?, ?, 'kim@example.com', 'x', json_object('label', ?), '2026-01-31T09:30:00.000Z')`,
    );
    const { organizationId } = workspace;
    await env.DB.batch(labels.map((label) => insert.bind(crypto.randomUUID(), organizationId, label)));
    const entries = await admin<{ details: { label: string } }[]>(workspace, "audit-log");
    expect(entries.map(({ details }) => details.label)).toEqual(labels.toReversed());
  });

  it("a rejected change leaves no audit log entry", async () => {
    const workspace = await makeWorkspace();
    await refusal(workspace, "update-client", { id: crypto.randomUUID(), email: "a@example.com" });
    await refusal(workspace, "set-member", { email: workspace.ownerEmail, role: "none" });
    expect(await admin(workspace, "audit-log")).toEqual([]);
    const rows = await env.DB.prepare("SELECT 1 FROM audit_log WHERE organization_id = ?")
      .bind(workspace.organizationId)
      .all();
    expect(rows.results).toEqual([]);
  });
});
