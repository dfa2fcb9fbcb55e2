import { env, exports } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { formProblem } from "../support/log-lines.ts";
import { baseUrl, type CallOptions, call } from "../support/partner.ts";
import { requestLineOf } from "../support/request-line.ts";
import { ask, namedRoutes, pathTo, successOf } from "../support/requests.ts";
import { makeWorkspace } from "../support/workspace.ts";

describe.each(namedRoutes)("$name", ({ route }) => {
  it("returns a request id, Cache-Control: no-store and the rate limit [R4, R5]", async () => {
    const workspace = await makeWorkspace({ plan: "solo" });
    const answers = [await ask(route, workspace), await ask(route, workspace, { token: null })];
    expect(answers.map(({ status }) => status)).toEqual([successOf(route), 401]);
    const ids = answers.map(({ headers }) => headers.get("x-request-id"));
    expect(new Set(ids).size).toBe(2);
    for (const { headers } of answers) expect(headers.get("cache-control")).toBe("private, no-store");
    const [{ headers }] = answers as [Response, Response];
    expect([headers.get("ratelimit-limit"), headers.get("ratelimit-policy")]).toEqual(["60", "60;w=60"]);
    expect(headers.has("ratelimit-remaining")).toBe(false);
  });

  it("reports the database, coordinator and total time in Server-Timing", async () => {
    const { headers } = await ask(route, await makeWorkspace());
    const timing = headers.get("server-timing") ?? "";
    expect(timing).toMatch(/^d1;dur=\d+, coordinator;dur=\d+, total;dur=\d+$/);
    const [d1 = 0, coordinator = 0, total = 0] = [...timing.matchAll(/dur=(\d+)/g)].map(([, ms]) =>
      Number(ms),
    );
    expect(total).toBeGreaterThanOrEqual(Math.max(d1, coordinator));
  });

  it("writes one log line with the caller, the request, the result and the duration [R13]", async () => {
    const workspace = await makeWorkspace();
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const { headers, status } = await ask(route, workspace);
    const request_id = headers.get("x-request-id") ?? "?";
    const line = JSON.parse(requestLineOf(log, headers));
    log.mockRestore();
    expect(line).toEqual({
      request_id,
      method: route.method.toUpperCase(),
      route: route.path,
      status,
      duration_ms: expect.any(Number),
      d1_trips: expect.any(Number),
      d1_ms: expect.any(Number),
      coordinator_ms: expect.any(Number),
      organization_id: workspace.organizationId,
      token_prefix: workspace.token.slice(0, 14),
      code: null,
      replay: false,
      version: expect.any(String),
    });
    expect(line.d1_trips).toBeGreaterThan(0);
  });

  it("sends no Sunset or Deprecation header without a removal date", async () => {
    const { headers } = await ask(route, await makeWorkspace());
    expect([headers.has("sunset"), headers.has("deprecation")]).toEqual([false, false]);
  });

  it("hides the cause of an unexpected error from the caller and logs it [E8]", async () => {
    const workspace = await makeWorkspace();
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const broken = vi.spyOn(env.DB, "batch").mockRejectedValueOnce(new Error("the disk is full of secrets"));
    const path = pathTo(route, crypto.randomUUID());
    const answer = await call(workspace, path, {
      method: route.method.toUpperCase(),
      ...(route.kind === "write" ? { body: route.examples.body, key: "key" } : {}),
    });
    broken.mockRestore();
    const lines = log.mock.calls.map(([line]) => String(line));
    log.mockRestore();
    expect([answer.status, await answer.json()]).toEqual([500, { error: "Unexpected error" }]);
    const line = lines.find((text) => text.includes(answer.headers.get("x-request-id") ?? "?")) ?? "";
    expect(JSON.parse(line)).toMatchObject({
      path,
      error: expect.stringContaining("the disk is full of secrets"),
    });
    expect(line).not.toContain(workspace.token);
  });
});

it.each([
  { asks: "a write", path: "/api-v1/clients", body: { client_name: "Ada" } },
  { asks: "a read", path: "/api-v1/clients", body: undefined },
])("an unexpected error in $asks has the rate limit headers", async ({ path, body }) => {
  const workspace = await makeWorkspace({ plan: "solo" });
  // The isolate looks up a new token first.
  await call(workspace, path);
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const batch = env.DB.batch.bind(env.DB);
  let calls = 0;
  const broken = vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
    calls += 1;
    if (body && calls === 2) throw new Error("the disk is full");
    const results = await batch(statements);
    // A row that does not match its schema.
    if (!body) results[1]?.results.push({ id: 1 } as never);
    return results as never;
  });
  const { status, headers } = await call(workspace, path, body ? { body, key: "key" } : {});
  broken.mockRestore();
  log.mockRestore();
  expect([status, headers.get("ratelimit-limit"), headers.get("ratelimit-policy")]).toEqual([
    500,
    "60",
    "60;w=60",
  ]);
});

it.each(["/api-v1/clients", "/rpc", "/sign-in"])("%s ignores the sender's X-Request-Id", async (path) => {
  const headers = { "x-request-id": "0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10" };
  const answer = await exports.default.fetch(`${baseUrl}${path}`, { headers });
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers.get("x-request-id")).not.toBe(headers["x-request-id"]);
});

it("403 upgrade_required, which is not counted, has the rate limit without a window", async () => {
  for (const path of ["/api-v1/clients", "/api-list-clients"]) {
    const { status, headers } = await call(await makeWorkspace({ plan: "free" }), path);
    const limit = headers.get("ratelimit-limit");
    expect([status, limit]).toEqual([403, expect.stringMatching(/^\d+$/)]);
    expect(headers.get("ratelimit-policy")).toBe(`${limit};w=60`);
    expect(headers.has("ratelimit-reset")).toBe(false);
  }
  const body = { client_name: "Ada" };
  const { status, headers } = await call(await makeWorkspace({ plan: "free" }), "/api-v1/clients", {
    body,
    key: "key",
  });
  expect([status, headers.has("ratelimit-limit")]).toEqual([403, true]);
});

it("the log has a refusal's code and marks replays, but omits unknown paths and tokens", async () => {
  const workspace = await makeWorkspace();
  const body = { client_name: "Ada" };
  await call(workspace, "/api-v1/clients", { body, key: "key" });
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const lineOf = async (path: string, request: CallOptions) => lineTo(await call(workspace, path, request));
  const lineTo = async ({ headers }: Response) => {
    const id = headers.get("x-request-id") ?? "?";
    return vi.waitFor(() => {
      const line = log.mock.calls.map(String).find((text) => text.includes(id));
      expect(line).toBeDefined();
      return JSON.parse(line ?? "");
    }, 10_000);
  };
  const own = { organization_id: workspace.organizationId, token_prefix: workspace.token.slice(0, 14) };
  const nobodys = { organization_id: null, token_prefix: null, d1_trips: 0 };
  const found = [
    await lineOf("/api-v1/clients", { body, key: "key" }),
    await lineOf("/api-v1/clients", { body: { client_name: "Eve" }, key: "key" }),
    await lineOf("/api-v1/nothing/ada@example.com", {}),
    await lineOf("/api-v1/clients", { token: "svc_wrong" }),
    await lineOf("/api-v1/clients", { method: "DELETE" }),
    await lineTo(await exports.default.fetch(`${baseUrl}/review/a-share-token`)),
  ];
  log.mockRestore();
  expect(found).toMatchObject([
    { ...own, route: "/api-v1/clients", status: 200, code: null, replay: true, d1_trips: 1 },
    { ...own, route: "/api-v1/clients", status: 409, code: "idempotency_key_reused", replay: false },
    { ...nobodys, route: null, status: 404, code: "not_found" },
    { ...nobodys, route: "/api-v1/clients", status: 401, code: null },
    { ...nobodys, route: null, status: 405, code: null },
    { organization_id: null, route: null, status: 404, code: null },
  ]);
});

it("every log line has the documented format and no content from requests", () => {
  const line = {
    request_id: crypto.randomUUID(),
    method: "GET",
    route: "/api-v1/clients/{id}",
    status: 200,
    duration_ms: 2,
    d1_trips: 1,
    d1_ms: 1,
    coordinator_ms: 1,
    organization_id: crypto.randomUUID(),
    token_prefix: "svc_0123456789",
    code: null,
    replay: false,
    version: "5f2d",
  };
  const problem = (change: object) => formProblem(JSON.stringify({ ...line, ...change }));
  expect(problem({})).toBeNull();
  for (const change of [
    { name: "Ada" },
    { route: "/api-v1/clients/ada@example.com" },
    { token_prefix: `svc_${"0".repeat(36)}` },
    { organization_id: "Test studio" },
    { code: "ada" },
    { d1_trips: undefined },
  ]) {
    expect(problem(change)).not.toBeNull();
  }
});

describe("every response", () => {
  const fetched = (base: string, path: string) =>
    exports.default.fetch(`${base}${path}`, { redirect: "manual" });

  it.each([
    "/api-v1/clients",
    "/nowhere",
    "/api-v1/openapi.json",
    "/sign-in",
    "/review/x",
    "/rpc",
    "/processor/stripe",
  ])("to %s has an id and forbids caching, plain HTTP and content sniffing [R5, R17]", async (path) => {
    const { headers } = await fetched(baseUrl, path);
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it.each(["/nowhere", "/sign-in", "/review/x", "/rpc"])(
    "to %s over HTTP on localhost has no Strict-Transport-Security header",
    async (path) => {
      const { headers } = await fetched("http://localhost:8787", path);
      expect(headers.get("strict-transport-security")).toBeNull();
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    },
  );
});

it("no response and no log line contains a token", async () => {
  const workspace = await makeWorkspace();
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => {}),
  );
  const answers: string[] = [];
  for (const { route } of namedRoutes) {
    for (const token of [workspace.token, `${workspace.token}0`]) {
      answers.push(await (await ask(route, workspace, { token })).text());
    }
  }
  const logged = spies.flatMap((spy) => spy.mock.calls.map((line) => JSON.stringify(line)));
  for (const spy of spies) spy.mockRestore();
  expect([...answers, ...logged].filter((text) => text.includes(workspace.token.slice(14)))).toEqual([]);
});

it("Server-Timing includes the time that the database takes", async () => {
  const workspace = await makeWorkspace();
  const batch = env.DB.batch.bind(env.DB);
  vi.spyOn(env.DB, "batch").mockImplementationOnce(async (statements) => {
    await scheduler.wait(50);
    return batch(statements);
  });
  const { headers } = await call(workspace, "/api-v1/clients");
  expect(Number(/^d1;dur=(\d+)/.exec(headers.get("server-timing") ?? "")?.[1])).toBeGreaterThanOrEqual(45);
  vi.restoreAllMocks();
});
