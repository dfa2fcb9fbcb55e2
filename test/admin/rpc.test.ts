import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { operations } from "../../src/operations/operations.ts";
import worker from "../../src/worker.ts";
import { admin } from "../support/admin.ts";
import { formProblem } from "../support/log-lines.ts";
import { baseUrl, call } from "../support/partner.ts";
import { requestLineOf } from "../support/request-line.ts";
import { SettingsBrowser, signedIn } from "../support/settings.ts";
import { makePlan, makeWorkspace, type Workspace } from "../support/workspace.ts";

const rpcName = (name: string) => name.replaceAll("-", "_");
const [open, operatorOnly] = (["admin", "operator"] as const).map((allowed) =>
  Object.entries(operations).flatMap(([name, operation]) => (operation.allowed === allowed ? [name] : [])),
) as [string[], string[]];

let here: Workspace;
let browser: SettingsBrowser;
beforeEach(async () => {
  here = await makeWorkspace();
  browser = await signedIn(here.ownerEmail);
});

const slugOf = ({ organizationId }: Workspace) => `org-${organizationId}`;
const signedOut = { message: "You are not signed in", hint: "sign in at /sign-in" };

describe("RPC", () => {
  it("creates and revokes a token, and records the admin in the audit log [S9]", async () => {
    const created = await browser.rpc("create_api_token", { name: "Timer", scopes: ["client:read"] });
    expect(created).toMatchObject({ status: 200, body: { name: "Timer", scopes: ["client:read"] } });
    const token = String(created.body.token);
    expect((await call({ token }, "/api-v1/clients")).status).toBe(200);
    const revoked = await browser.rpc("revoke_api_token", { id: created.body.id });
    expect([revoked.status, revoked.body.id]).toEqual([200, created.body.id]);
    expect((await call({ token }, "/api-v1/clients")).status).toBe(401);
    const log = (await browser.rpc<Record<string, unknown>[]>("audit_log")).body;
    expect(log.map(({ action, actor }) => [action, actor])).toEqual([
      ["token.revoked", here.ownerEmail],
      ["token.created", here.ownerEmail],
    ]);
    expect(JSON.stringify(log)).not.toContain(token);
  });

  it("acts as the signed-in admin, not as the owner", async () => {
    const email = `kim-${here.organizationId}@example.com`;
    await admin(here, "set-member", { email, role: "admin" });
    await (await signedIn(email.toUpperCase())).rpc("create_api_token", { name: "Timer" });
    expect(await admin(here, "audit-log", { limit: "1" })).toMatchObject([{ actor: email }]);
  });

  it("grants the default scopes, and rejects reserved and unknown scopes [A9]", async () => {
    expect((await browser.rpc("create_api_token", { name: "x" })).body.scopes).toEqual(["deliverable:write"]);
    const withNull = await browser.rpc("create_api_token", { name: "x", scopes: null });
    expect(withNull.body.scopes).toEqual(["deliverable:write"]);
    const refused = async (scope: string) => {
      const { status, body } = await browser.rpc("create_api_token", { name: "x", scopes: [scope] });
      return [status, body.message];
    };
    expect(await refused("invoice:issue")).toEqual([400, "Scope not available yet"]);
    expect(await refused("client:rede")).toEqual([400, "Unknown scope: client:rede"]);
  });

  it("returns 403 with a message if the plan lacks API access [O6]", async () => {
    const poor = await makeWorkspace({ plan: "free" });
    const its = await signedIn(poor.ownerEmail);
    const refused = { message: "API access is a paid feature", hint: "upgrade_required:api_access" };
    for (const [name, fields] of [
      ["create_api_token", { name: "x" }],
      ["create_webhook_endpoint", { url: "https://example.com/" }],
      ["send_test_webhook", { id: crypto.randomUUID() }],
    ] as const) {
      expect(await its.rpc(name, fields)).toMatchObject({ status: 403, body: refused });
    }
    expect((await its.rpc("list_api_tokens")).status).toBe(200);
  });

  it("returns 403 for a record over the plan's limit", async () => {
    const plan = await makePlan(60);
    await env.DB.batch([
      env.DB.prepare("UPDATE plans SET records_cap = 0 WHERE name = ?").bind(plan),
      env.DB.prepare("UPDATE organizations SET plan = ? WHERE id = ?").bind(plan, here.organizationId),
    ]);
    expect(await browser.rpc("create_client", { client_name: "Ada" })).toMatchObject({
      status: 403,
      body: { message: "Your plan's record limit is reached", hint: null },
    });
  });

  it.each([
    ["an unknown operation", "mint_gold", {}, 404],
    ["the command line's spelling", "list-api-tokens", {}, 404],
    ["a property of every object", "constructor", {}, 404],
    ["an unknown record", "revoke_api_token", { id: crypto.randomUUID() }, 404],
    ["an origin that is not allowed", "remove_origin", { origin: "https://review.example" }, 404],
    ["an invalid field", "revoke_api_token", { id: "1" }, 400],
    ["an unknown field", "list_members", { nam: "x" }, 400],
    ["an actor field", "list_members", { actor: "owner@example.com" }, 400],
    ["a repeated field", "list_members", '{"organization":"a","organization":"b"}', 400],
    ["a list instead of fields", "list_members", [], 400],
    ["an empty body", "create_api_token", "", 400],
    ["invalid JSON", "list_members", "{", 400],
  ])("returns an error for %s: %s", async (_, name, fields, status) => {
    const answer = await browser.rpc(name, fields);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ message: expect.any(String), hint: answer.body.hint ?? null });
  });

  it("returns a hint that lists the valid fields or links to the valid operations", async () => {
    const hintOf = async (name: string, fields = {}) => (await browser.rpc(name, fields)).body.hint;
    expect([
      await hintOf("mint_gold"),
      await hintOf("constructor"),
      await hintOf("list_members/all"),
      await hintOf("list_members", { nam: "x" }),
      await hintOf("revoke_api_token", { nam: "x" }),
    ]).toEqual([
      "GET /rpc lists them",
      "GET /rpc lists them",
      "GET /rpc lists the operations",
      "fields: id, email, limit, cursor",
      "fields: id, with_endpoint",
    ]);
  });

  it.each(["__proto__", "constructor", "toString"])("names the unknown field %s", async (field) => {
    const { status, body } = await browser.rpc("list_members", `{"${field}":"x"}`);
    expect([status, body.message]).toEqual([400, `${field} is not a known field`]);
  });

  it("accepts a body of at most 64 KB", async () => {
    const said = async (bytes: number) =>
      (await browser.rpc("list_members", `{"nam":"${"x".repeat(bytes - '{"nam":""}'.length)}"}`)).body
        .message;
    expect([await said(64 * 1024), await said(64 * 1024 + 1)]).toEqual([
      "nam is not a known field",
      "The body must be at most 65536 bytes",
    ]);
  });

  it("forbids caching", async () => {
    for (const { headers } of [await browser.rpc("list_members"), await browser.rpc("none")])
      expect(headers.get("cache-control")).toBe("private, no-store");
  });

  it("requires a POST with a JSON body", async () => {
    const got = await browser.fetch("/rpc/list_members");
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
    const sent = await browser.fetch("/rpc", { method: "DELETE" });
    expect([sent.status, sent.headers.get("allow")]).toEqual([405, "GET"]);
    const form = await browser.fetch("/rpc/list_members", {
      method: "POST",
      body: new URLSearchParams({ name: "x" }),
    });
    expect(form.status).toBe(400);
    const plain = await worker.fetch(
      new Request("http://api.example.com/rpc/list_members", { method: "POST" }),
      env,
      createExecutionContext(),
    );
    expect(plain.status).toBe(403);
  });

  it("hides an internal error from the caller and logs it", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const { DB } = env;
    const batch = DB.batch.bind(DB);
    let trips = 0;
    vi.spyOn(DB, "batch").mockImplementation((statements) => {
      trips += 1;
      return trips === 1 ? batch(statements) : Promise.reject(new Error("disk"));
    });
    const answer = await browser.rpc("list_members");
    expect([answer.status, answer.body]).toEqual([500, { message: "Unexpected error", hint: null }]);
    expect(logged.mock.calls.join()).toContain(answer.headers.get("x-request-id"));
  });
});

it("writes one log line per call, with its cost", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const lineOf = async ({ headers }: { headers: Headers }) => {
    expect(headers.get("server-timing")).toMatch(/^d1;dur=\d+, coordinator;dur=\d+, total;dur=\d+$/);
    const line = requestLineOf(log, headers);
    expect(formProblem(line)).toBeNull();
    return JSON.parse(line);
  };
  const theirs = { "x-request-id": "of-the-caller" };
  const { headers } = await browser.rpc("list_members", {}, theirs);
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  const post = { method: "POST", token_prefix: null, replay: false };
  const own = { ...post, organization_id: here.organizationId };
  const nobodys = { ...post, organization_id: null };
  const lines = [
    await lineOf(await browser.rpc("create_api_token", { name: "Timer" })),
    await lineOf(await browser.rpc("revoke_api_token", { id: crypto.randomUUID() })),
    await lineOf(await browser.rpc("list_members", { organization: "nobodys" })),
    await lineOf(await browser.rpc("mint_gold")),
    await lineOf(await new SettingsBrowser().rpc("list_members")),
    await lineOf(await browser.fetch("/rpc")),
    await lineOf(await browser.fetch(`/settings/${slugOf(here)}/webhooks/${crypto.randomUUID()}`)),
  ];
  log.mockRestore();
  expect(lines).toMatchObject([
    { ...own, route: "/rpc/create_api_token", status: 200, code: null },
    { ...own, route: "/rpc/revoke_api_token", status: 404, code: "record_not_found" },
    { ...nobodys, route: "/rpc/list_members", status: 403, code: "admins_only" },
    { ...nobodys, route: "/rpc/{operation}", status: 404, code: "operation_not_found" },
    { ...nobodys, route: "/rpc/{operation}", status: 401, code: "not_signed_in", d1_trips: 0 },
    { ...nobodys, method: "GET", route: "/rpc", status: 200, d1_trips: 0 },
    { ...own, method: "GET", route: "/settings/{slug}/webhooks/{id}", status: 404, code: "record_not_found" },
  ]);
  expect(lines[0].d1_trips).toBeGreaterThan(1);
});

describe("permissions", () => {
  it.each(open)("%s returns 401 without a valid admin session", async (name) => {
    const strangers = [new SettingsBrowser(), new SettingsBrowser()];
    strangers[1]?.cookies.set("__Host-session", "made-up");
    for (const role of ["member", "none"] as const) {
      const email = `${role}-${crypto.randomUUID()}@example.com`;
      await admin(here, "set-member", { email, role });
      strangers.push(await signedIn(email));
    }
    const demoted = await signedIn(`kim-${here.organizationId}@example.com`);
    await admin(here, "set-member", { email: `kim-${here.organizationId}@example.com`, role: "member" });
    for (const stranger of [...strangers, demoted]) {
      expect(await stranger.rpc(rpcName(name))).toMatchObject({ status: 401, body: signedOut });
    }
  });

  it.each(open.filter((name) => operations[name]?.kind === "workspace"))(
    "%s treats another workspace as unknown",
    async (name) => {
      const there = await makeWorkspace();
      const asked = [there.organizationId, slugOf(there), "nobodys", crypto.randomUUID(), ""];
      const answers = [];
      for (const organization of asked) answers.push(await browser.rpc(rpcName(name), { organization }));
      expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
      expect(answers[0]).toMatchObject({
        status: 403,
        body: { message: expect.stringMatching(/^Only organization admins can /), hint: null },
      });
    },
  );

  it.each(operatorOnly)("%s is available only to operators", async (name) => {
    const { status, body } = await browser.rpc(rpcName(name), { organization: here.organizationId });
    expect([status, body.message]).toEqual([403, `Only the operator of this service can run ${name}`]);
  });

  it("only operators create, price, export and erase workspaces", () => {
    expect(operatorOnly.toSorted()).toEqual([
      "after-restore",
      "create-organization",
      "erase-organization",
      "export-backup",
      "export-organization",
      "find-leftovers",
      "import-organization",
      "list-backup-files",
      "list-cells",
      "list-organizations",
      "move-organization",
      "read-backup-file",
      "rebuild-directory",
      "record-mail-event",
      "reseal-webhook-secrets",
      "restore-image",
      "set-feature",
      "set-limit",
      "set-plan",
    ]);
    expect(open).toEqual(expect.arrayContaining(["list-processor-events", "match-processor-event"]));
  });

  it("require an admin of two workspaces to name one", async () => {
    const there = await makeWorkspace();
    await admin(there, "set-member", { email: here.ownerEmail, role: "admin" });
    const unsaid = await browser.rpc("create_api_token", { name: "x" });
    expect([unsaid.status, unsaid.body.message]).toEqual([400, "organization is required (slug or id)"]);
    expect(String(unsaid.body.hint)).toContain(slugOf(there));
    for (const organization of [slugOf(there), there.organizationId, there.organizationId.toUpperCase()]) {
      expect((await browser.rpc("create_api_token", { name: "x", organization })).status).toBe(200);
    }
    expect(await admin<object[]>(there, "list-api-tokens")).toHaveLength(4);
    expect(await admin<object[]>(here, "list-api-tokens")).toHaveLength(1);
  });

  it.each([[null], [5], [[]], [{ id: "x" }]])(
    "return 400 if the organization is not a string: %j",
    async (organization) => {
      expect(await browser.rpc("list_members", { organization })).toMatchObject({
        status: 400,
        body: { message: "organization must be a slug or id", hint: `one of ${slugOf(here)}` },
      });
    },
  );

  it("do not allow an admin to add or change an owner", async () => {
    const email = `kim-${here.organizationId}@example.com`;
    await admin(here, "set-member", { email, role: "admin" });
    const kim = await signedIn(email);
    for (const fields of [
      { email, role: "owner" },
      { email: here.ownerEmail, role: "member" },
      { email: here.ownerEmail.toUpperCase(), role: "none" },
    ]) {
      const { status, body } = await kim.rpc("set_member", fields);
      expect([status, body.message]).toEqual([403, "Only owners can change owners"]);
    }
    expect((await kim.rpc("set_member", { email: "new@example.com", role: "admin" })).status).toBe(200);
    expect((await browser.rpc("set_member", { email, role: "owner" })).status).toBe(200);
  });
});

it("blocks a sender after 300 unknown sessions in a minute, without another query", async () => {
  const stranger = new SettingsBrowser();
  const guess = () => {
    stranger.cookies.set("__Host-session", crypto.randomUUID());
    return stranger.rpc("list_members");
  };
  const statuses: number[] = [];
  // The counter resets if a new minute begins meanwhile, so the loop may need more than 300 calls.
  while (statuses.length <= 2 * 300 && !statuses.includes(429))
    statuses.push(...(await Promise.all(Array.from({ length: 10 }, guess))).map(({ status }) => status));
  expect([...new Set(statuses)].sort()).toEqual([401, 429]);
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(300);
  const batch = vi.spyOn(env.DB, "batch");
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const { status, body, headers } = await guess();
  const line = JSON.parse(requestLineOf(log, headers));
  log.mockRestore();
  expect([line.code, line.d1_trips]).toEqual(["rate_limit_exceeded", 0]);
  expect([status, body]).toEqual([429, { message: "Rate limit exceeded", hint: null }]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(50);
  expect(batch).not.toHaveBeenCalled();
  expect((await browser.rpc("list_members")).status).toBe(200);
});

describe("calls from a browser [S11]", () => {
  const asked = (origin: string | null, path = "/rpc/list_members", method = "POST", origins = "") => {
    const headers = new Headers({ cookie: `__Host-session=${browser.cookies.get("__Host-session")}` });
    if (origin !== null) headers.set("origin", origin);
    if (method === "POST") headers.set("content-type", "application/json");
    const request = new Request<unknown, IncomingRequestCfProperties>(`${baseUrl}${path}`, {
      method,
      headers,
      ...(method === "POST" && { body: "{}" }),
    });
    const execution = createExecutionContext();
    return worker.fetch(request, { ...env, BROWSER_ORIGINS: origins }, execution);
  };
  const corsOf = ({ headers }: Response) =>
    [...headers.keys()].filter((name) => name.startsWith("access-control-"));

  it.each(["https://evil.example", "null", "http://api.example.com", "https://api.example.com.evil.example"])(
    "return 403 without CORS headers for %s",
    async (origin) => {
      const answer = await asked(origin, "/rpc/create_api_token");
      expect([answer.status, corsOf(answer)]).toEqual([403, []]);
      expect(corsOf(await asked(origin, "/rpc/create_api_token", "OPTIONS"))).toEqual([]);
      const read = await asked(origin, "/rpc", "GET");
      expect([read.status, corsOf(read)]).toEqual([200, []]);
      for (const { headers } of [answer, read]) expect(headers.get("vary")).toBe("Origin");
      expect(await admin<object[]>(here, "list-api-tokens")).toHaveLength(1);
    },
  );

  it("may use the cookie from the service's own origin and from BROWSER_ORIGINS", async () => {
    const origins = "https://app.example.org, https://second.example.org";
    for (const origin of [baseUrl, "https://app.example.org", "https://second.example.org"]) {
      const answer = await asked(origin, undefined, "POST", origins);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
      expect(answer.headers.get("access-control-allow-credentials")).toBe("true");
      expect(answer.headers.get("vary")).toContain("Origin");
      const preflight = await asked(origin, undefined, "OPTIONS", origins);
      expect(preflight.status).toBe(204);
      expect(Object.fromEntries(preflight.headers)).toMatchObject({
        "access-control-allow-headers": "content-type, idempotency-key",
        "access-control-allow-methods": "GET, POST, OPTIONS",
        "access-control-expose-headers": "X-Request-Id, Retry-After, Server-Timing",
        "access-control-max-age": "86400",
      });
    }
    expect((await asked("https://third.example.org", undefined, "POST", origins)).status).toBe(403);
  });

  it("are checked by Sec-Fetch-Site if they have no Origin", async () => {
    for (const [site, status] of [
      ["cross-site", 403],
      ["same-site", 403],
      ["same-origin", 200],
      ["none", 200],
    ] as const)
      expect((await browser.rpc("list_members", {}, { "sec-fetch-site": site })).status).toBe(status);
    expect((await asked(null)).status).toBe(200);
  });
});

describe("GET /rpc", () => {
  it("returns an OpenAPI 3.1 document of the admins' operations without requiring a key [S10]", async () => {
    const answer = await new SettingsBrowser().fetch("/rpc");
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const document = await answer.json<{ openapi: string; paths: Record<string, { post: unknown }> }>();
    expect([answer.status, document.openapi]).toEqual([200, "3.1.0"]);
    expect(Object.keys(document.paths)).toEqual(open.map((name) => `/rpc/${rpcName(name)}`));
    expect(document.paths["/rpc/revoke_api_token"]?.post).toMatchObject({
      operationId: "revoke_api_token",
      requestBody: {
        content: {
          "application/json": {
            schema: { required: ["id"], properties: { organization: { type: "string" } } },
          },
        },
      },
    });
  });

  it("returns 404 in RPC's error format if the document was not deployed", async () => {
    const DOCS = { fetch: async () => new Response("<p>no such file</p>", { status: 404 }) };
    const asked = new Request(`${baseUrl}/rpc`);
    const answer = await worker.fetch(asked as never, { ...env, DOCS } as never, createExecutionContext());
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { message: "Operations are not listed here", hint: null },
    ]);
  });
});
