import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { auditLimits } from "../../src/contract/limits.ts";
import { searchAuditLog } from "../../src/core/audit-log/audit-log.ts";
import type { AuditEntry } from "../../src/core/audit-log/record.ts";
import type { Member } from "../../src/workspace/members/record.ts";
import { admin, callAdmin, refusal } from "../support/admin.ts";
import { watchMails } from "../support/mails.ts";
import { metered } from "../support/metered.ts";
import { post } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { ask, successOf, writeRoutes } from "../support/requests.ts";
import { makeDeliverable, makeStudio } from "../support/review.ts";
import { signedIn } from "../support/settings.ts";
import { insertToken, makeWorkspace, type Workspace } from "../support/workspace.ts";

const all = async <T>(text: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(text)
      .bind(...values)
      .all<T>()
  ).results;

const tokenIdOf = async ({ organizationId, token }: Workspace) => {
  const [found] = await all<{ id: string }>(
    "SELECT id FROM api_tokens WHERE organization_id = ? AND token_prefix = ?",
    organizationId,
    token.slice(0, 14),
  );
  return String(found?.id);
};

/** The action that a successful request adds to the audit log, by the route's path. */
const actions: Record<string, string> = {
  "/api-v1/clients": "client.created",
  "/api-v1/projects": "project.created",
  "/api-v1/time-entries": "time_entry.created",
  "/api-v1/invoices": "invoice.created",
  "/api-v1/deliverables": "deliverable.created",
  "/api-create-deliverable": "deliverable.created",
  "/api-v1/deliverables/{id}/versions": "deliverable.version_added",
  "/api-v1/deliverables/{id}/send": "deliverable.sent",
  "/api-ingest-request": "scope_request.ingested",
};

describe.each(writeRoutes)("$name", ({ route }) => {
  it("adds one audit log entry with the token, its creator and the record [A16]", async () => {
    watchMails();
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const token = await tokenIdOf(workspace);
    const key = crypto.randomUUID();
    const answer = await ask(route, workspace, { key }, records);
    expect(answer.status).toBe(successOf(route));
    const made = await answer.json<{ id: string; deliverable_id?: string }>();
    if (route.kind === "write" && route.idempotent) await ask(route, workspace, { key }, records);
    await ask(route, workspace, { body: { nothing: 1 } }, records);
    const log = await admin<AuditEntry[]>(workspace, "audit-log", { token });
    expect(log).toEqual([
      expect.objectContaining({
        action: actions[route.path],
        subject_id: made.deliverable_id ?? made.id,
        api_token_id: token,
        actor: workspace.ownerEmail,
        operator: null,
      }),
    ]);
  });
});

it("audit-log --token shows only the token's entries", async () => {
  const [studio, other] = [await makeStudio(), await makeStudio()];
  const second = await insertToken(studio);
  await post({ token: second }, "/api-v1/clients", { client_name: "Second" });
  const [mine, theirs] = [await tokenIdOf({ ...studio, token: second }), await tokenIdOf(other)];
  expect(await admin<AuditEntry[]>(studio, "audit-log", { token: mine })).toHaveLength(1);
  expect(await admin<AuditEntry[]>(studio, "audit-log", { token: theirs })).toEqual([]);
  expect((await refusal(studio, "audit-log", { token: "x" })).message).toBe("token must be a UUID");
});

describe("the audit log of a workspace with many token requests", () => {
  const insertRequests = (workspace: Workspace, actor: string, count: number, at: string) =>
    env.DB.prepare(
      `INSERT INTO requests (organization_id, key, fingerprint, request_id, actor, action, subject_id, created_at)
       WITH numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?3)
       SELECT ?1, 'key:' || ?2 || n, '', 'request ' || n, ?2, 'client.created', 'subject', ?4 FROM numbers`,
    )
      .bind(workspace.organizationId, actor, count, at)
      .run();

  it("reads only the page's rows for any number of tokens [N11]", async () => {
    const studio = await makeStudio();
    for (let token = 0; token < 20; token += 1) {
      const id = await tokenIdOf({ ...studio, token: await insertToken(studio) });
      await insertRequests(studio, id, 60, `2026-03-01T12:00:${10 + token}.000Z`);
    }
    const { answer, most } = await metered(() => admin<AuditEntry[]>(studio, "audit-log", { limit: "50" }));
    expect(answer.filter(({ api_token_id }) => api_token_id !== null)).toHaveLength(50);
    expect(most).toBeLessThan(12 * 50);
  });

  it("scans only the newest 240 entries for a token, and returns where to continue [N11]", async () => {
    const studio = await makeWorkspace();
    const [quiet, loud] = [
      await tokenIdOf(studio),
      await tokenIdOf({ ...studio, token: await insertToken(studio) }),
    ];
    await insertRequests(studio, quiet, 1, "2026-03-01T11:00:00.000Z");
    await insertRequests(studio, loud, auditLimits.entriesOfTokens - 1, "2026-03-01T12:00:00.000Z");
    expect(await admin<AuditEntry[]>(studio, "audit-log", { token: quiet })).toHaveLength(1);
    await insertRequests(studio, crypto.randomUUID(), 1, "2026-03-01T12:00:00.000Z");
    expect(await refusal(studio, "audit-log", { token: quiet })).toEqual({
      message: "No match among the 240 newest entries that were searched",
      hint: "until=2026-03-01T12:00:00.001Z",
    });
    const until = "2026-03-01T12:00:00.000Z";
    expect(await admin<AuditEntry[]>(studio, "audit-log", { token: quiet, until })).toHaveLength(1);
  });
});

it("the audit log reads at most 2,000 rows beyond the page for every combination of filters [N11]", async () => {
  const studio = await makeStudio();
  const token = await tokenIdOf(studio);
  const quiet = await tokenIdOf({ ...studio, token: await insertToken(studio) });
  const { organizationId } = studio;
  const numbers =
    "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 30000)";
  const at = "strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01', '+' || n || ' seconds')";
  await env.DB.batch([
    env.DB.prepare(
      `${numbers} INSERT INTO audit_log (organization_id, actor, action, created_at)
       SELECT ?1, 'kim@example.com', 'x', ${at} FROM number`,
    ).bind(organizationId),
    env.DB.prepare(
      `${numbers} INSERT INTO requests (organization_id, key, fingerprint, request_id, actor, action, subject_id,
         created_at) SELECT ?1, 'key:' || n, '', 'x', ?2, 'client.created', 'x', ${at} FROM number`,
    ).bind(organizationId, token),
  ]);
  const fields = {
    person: "nobody@example.com",
    action: "invoice.issued",
    since: "2026-01-01T00:00:00Z",
    until: "2026-03-01T00:00:00Z",
  };
  const names = Object.keys(fields) as (keyof typeof fields)[];
  const tooMany: unknown[] = [];
  for (let set = 0; set < 2 ** names.length; set += 1) {
    const given = names.filter((_, index) => set & (1 << index));
    const filter = Object.fromEntries(given.map((name) => [name, fields[name]]));
    for (const of of [{}, { token }, { token: quiet }]) {
      const { read } = await metered(() =>
        searchAuditLog(env.DB, organizationId, { ...filter, ...of, limit: 50 }),
      );
      if (read > 2_000 + 3 * 50) tooMany.push([given, of, read]);
    }
  }
  expect(tooMany).toEqual([]);
}, 60_000);

describe("an audit log entry", () => {
  const newest = async (workspace: Pick<Workspace, "organizationId">) =>
    (await admin<AuditEntry[]>(workspace, "audit-log", { limit: "1" }))[0];

  it("includes a changed record's old and new values", async () => {
    const studio = await makeStudio();
    const id = studio.clientId;
    await admin(studio, "update-client", {
      id,
      email: "kim@northwind.example",
      company_name: "Northwind",
      sample: "true",
    });
    expect((await newest(studio))?.details).toEqual({
      fields: ["company_name", "email", "sample"],
      before: { email: "nora@northwind.example", company_name: null, is_sample: false },
      after: { email: "kim@northwind.example", company_name: "Northwind", is_sample: true },
    });
    await admin(studio, "update-client", { id, email: "ada@northwind.example" });
    expect((await newest(studio))?.details).toEqual({
      fields: ["email"],
      before: { email: "kim@northwind.example" },
      after: { email: "ada@northwind.example" },
    });
    await admin(studio, "set-feature", { feature: "connector_api_ingest", enabled: "false" });
    expect((await newest(studio))?.details).toMatchObject({
      before: { features: ["connector_api_ingest"] },
      after: { features: [] },
    });
    await admin(studio, "set-member", { email: "kim@example.com", role: "member" });
    await admin(studio, "set-member", { email: "kim@example.com", role: "admin" });
    expect((await newest(studio))?.details).toEqual({
      role: "admin",
      before: { role: "member" },
      after: { role: "admin" },
    });
  });

  it("contains no secret, and is not written if nothing changes", async () => {
    const studio = await makeStudio();
    const endpoint = await admin(studio, "create-webhook-endpoint", { url: "https://93.184.216.34/hook" });
    await admin(studio, "rotate-webhook-secret", { id: String(endpoint.id) });
    const line = await newest(studio);
    expect(line).toMatchObject({ action: "webhook_endpoint.secret_rotated", details: { overlap_hours: 24 } });
    expect(Object.keys((line?.details.after as object) ?? {})).toEqual(["previous_secret_expires_at"]);
    await admin(studio, "enable-webhook-endpoint", { id: String(endpoint.id) });
    expect(await newest(studio)).toEqual(line);
  });

  it("records an operator's self-declared name, and null for a signed-in admin", async () => {
    const studio = await makeStudio();
    const call = (operator?: unknown) =>
      callAdmin("set-on-send-status", { organization: studio.organizationId, label: "Sent", operator });
    const told = [];
    for (const said of ["kim@desk", "kim\n\u202edesk", undefined, 7, "x".repeat(201)]) {
      await call(said);
      told.push((await newest(studio))?.operator);
    }
    expect(told).toEqual(["kim@desk", "kim desk", "unknown", "unknown", "x".repeat(200)]);
    const browser = await signedIn(studio.ownerEmail);
    expect((await browser.rpc("set_on_send_status", { label: "Out" })).status).toBe(200);
    expect((await newest(studio))?.operator).toBeNull();
    const slug = `fern-${crypto.randomUUID().slice(0, 8)}`;
    const owner_email = "fern@example.com";
    await callAdmin("create-organization", {
      name: "Fern",
      slug,
      plan: "solo",
      owner_email,
      operator: "ops@example.com",
    });
    expect(await newest({ organizationId: slug })).toMatchObject({
      operator: "ops@example.com",
      actor: owner_email,
      details: { slug, plan: "solo" },
    });
  });
});

describe("a complete audit log entry", () => {
  const moved = (field: string, was: unknown, becomes: unknown) => ({
    before: { [field]: was },
    after: { [field]: becomes },
  });

  it("names the action, the record and the caller", async () => {
    const studio = await makeStudio();
    const { organizationId: organization, projectId: project } = studio;
    const [reviewed, milestone] = [await makeDeliverable(studio), crypto.randomUUID()];
    await env.DB.prepare(
      "INSERT INTO milestones (id, organization_id, project_id, name, position) VALUES (?, ?, ?, 'Start', 0)",
    )
      .bind(milestone, organization, project)
      .run();
    const origin = "https://93.184.216.34";
    const said = { kind: "comment", body: "Good", author_name: "Nora" };
    const gate = { title: "More", kind: "milestone_gate" };
    /** The operation and its fields, then the expected action, subject (null for the created record) and details. */
    const told: [string, object, string, string | null, object | ((id: string) => object)][] = [
      [
        "set-plan",
        { plan: "studio" },
        "organization.plan_set",
        organization,
        moved("plan", "agency", "studio"),
      ],
      [
        "set-member",
        { email: "kim@example.com", role: "admin" },
        "member.set",
        "kim@example.com",
        { role: "admin", ...moved("role", null, "admin") },
      ],
      [
        "set-member",
        { email: "kim@example.com", role: "admin", name: "Kim Berg" },
        "member.set",
        "kim@example.com",
        {
          role: "admin",
          before: { role: "admin", name: null },
          after: { role: "admin", name: "Kim Berg" },
        },
      ],
      ["allow-origin", { origin }, "origin.allowed", origin, { origin }],
      ["remove-origin", { origin }, "origin.removed", origin, {}],
      ["create-client", { client_name: "Kim" }, "client.created", null, {}],
      [
        "update-project",
        { id: project, name: "Launch" },
        "project.updated",
        project,
        { fields: ["name"], ...moved("name", "Relaunch", "Launch") },
      ],
      [
        "set-milestone-status",
        { id: milestone, status: "completed" },
        "milestone.status_set",
        milestone,
        { status: "completed", ...moved("status", "pending", "completed") },
      ],
      [
        "record-revision-override",
        { project, rounds: "2", reason: "Agreed" },
        "project.revision_override_recorded",
        project,
        { override_id: expect.any(String), rounds: 2, reason: "Agreed" },
      ],
      [
        "send-change-decision",
        { project, ...gate },
        "change_decision.sent",
        null,
        { project_id: project, ...gate },
      ],
      [
        "record-feedback",
        { deliverable: reviewed, ...said },
        "deliverable.feedback_recorded",
        reviewed,
        (feedback_id) => ({ feedback_id, kind: "comment" }),
      ],
      [
        "sign-off-deliverable",
        { deliverable: reviewed, signer_name: "Nora" },
        "deliverable.signed_off",
        reviewed,
        (sign_off_id) => ({ sign_off_id, signer_name: "Nora" }),
      ],
      [
        "create-webhook-endpoint",
        { url: `${origin}/hook`, events: "money" },
        "webhook_endpoint.created",
        null,
        { url: `${origin}/hook`, events: ["money"] },
      ],
    ];
    for (const [name, fields, action, subject, details] of told) {
      const outcome = await callAdmin(name, { organization, operator: "kim@desk", ...fields });
      if (!outcome.ok) throw new Error(`${name}: ${outcome.message}`);
      const { id } = outcome.result as { id: string };
      const [line] = await admin<AuditEntry[]>(studio, "audit-log", { limit: "1" });
      expect(line).toMatchObject({
        action,
        actor: studio.ownerEmail,
        operator: "kim@desk",
        subject_id: subject ?? id,
        api_token_id: null,
      });
      expect(line?.details).toEqual(typeof details === "function" ? details(id) : details);
    }
  });
});

describe("owners", () => {
  it("are added and removed only by owners, and the last one cannot be removed", async () => {
    const studio = await makeStudio();
    const set = (email: string, role: string, actor?: string) =>
      callAdmin("set-member", { organization: studio.organizationId, email, role, ...(actor && { actor }) });
    await set("admin@example.com", "admin");
    const refused = { ok: false, message: "Only owners can change owners" };
    expect(await set("kim@example.com", "owner", "admin@example.com")).toMatchObject(refused);
    expect(await set("admin@example.com", "owner", "admin@example.com")).toMatchObject(refused);
    expect(await set(studio.ownerEmail, "member", "admin@example.com")).toMatchObject(refused);
    expect(await set(studio.ownerEmail, "none")).toMatchObject({
      ok: false,
      message: "A workspace needs at least one owner. Make another member an owner first",
    });
    expect(await set("kim@example.com", "owner")).toMatchObject({ ok: true });
    expect(await set(studio.ownerEmail, "admin", "kim@example.com")).toMatchObject({ ok: true });
    const members = await admin<Member[]>(studio, "list-members", { actor: "kim@example.com" });
    expect(members.filter(({ role }) => role === "owner").map(({ email }) => email)).toEqual([
      "kim@example.com",
    ]);
  });
});
