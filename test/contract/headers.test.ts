import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { partnerApi } from "../../src/http/app.ts";
import { routes } from "../../src/routes/routes.ts";
import { servicesOf } from "../../src/services.ts";
import { baseUrl, call } from "../support/partner.ts";
import { ask, namedRoutes, pathTo, successOf } from "../support/requests.ts";
import { makeWorkspace } from "../support/workspace.ts";

describe.each(namedRoutes)("$name", ({ route }) => {
  it("names every request, forbids every cache and tells the rate limit", async () => {
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

  it("carries no Sunset or Deprecation header: no removal date is set", async () => {
    const { headers } = await ask(route, await makeWorkspace());
    expect([headers.has("sunset"), headers.has("deprecation")]).toEqual([false, false]);
  });

  it("says of an unexpected error nothing but that; the log has the request id and the cause", async () => {
    const workspace = await makeWorkspace();
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const broken = vi.spyOn(env.DB, "batch").mockRejectedValueOnce(new Error("the disk is full of secrets"));
    const answer = await call(workspace, pathTo(route, crypto.randomUUID()), {
      method: route.method.toUpperCase(),
      ...(route.kind === "write" ? { body: route.examples.body, key: "key" } : {}),
    });
    broken.mockRestore();
    const lines = log.mock.calls.map(([line]) => String(line));
    log.mockRestore();
    expect([answer.status, await answer.json()]).toEqual([500, { error: "Unexpected error" }]);
    const line = lines.find((text) => text.includes(answer.headers.get("x-request-id") ?? "?")) ?? "";
    expect(line).toContain("the disk is full of secrets");
    expect(line).not.toContain(workspace.token);
  });
});

it.each([
  { asks: "a write", path: "/api-v1/clients", body: { client_name: "Ada" } },
  { asks: "a read", path: "/api-v1/clients", body: undefined },
])("an unexpected error of $asks after the count carries the rate headers, too", async ({ path, body }) => {
  const workspace = await makeWorkspace({ plan: "solo" });
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const batch = env.DB.batch.bind(env.DB);
  const broken = vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
    if (statements.length === 1) throw new Error("the disk is full");
    const results = await batch(statements);
    // A row that no longer fits its own schema.
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

it("a path whose removal date is configured answers with Deprecation (RFC 9745) and Sunset (RFC 8594)", async () => {
  const workspace = await makeWorkspace();
  const path = "/api-list-clients";
  const deprecations = {
    [path]: { deprecated_at: "2026-01-01T00:00:00Z", sunset_at: "2026-06-30T00:00:00Z" },
  };
  const api = partnerApi(routes, servicesOf);
  const ask = async (address: string) => {
    const execution = createExecutionContext();
    const headers = { apikey: env.GATEWAY_PUBLIC_KEY, authorization: `Bearer ${workspace.token}` };
    const request = new Request(`${baseUrl}${address}`, { headers });
    const answer = await api.fetch(
      request,
      { ...env, DEPRECATIONS: JSON.stringify(deprecations) },
      execution,
    );
    await waitOnExecutionContext(execution);
    return answer;
  };
  const { status, headers } = await ask(path);
  expect(status).toBe(200);
  expect(headers.get("deprecation")).toBe("@1767225600");
  expect(headers.get("sunset")).toBe("Tue, 30 Jun 2026 00:00:00 GMT");
  expect((await ask("/api-v1/clients")).headers.has("sunset")).toBe(false);
});

it("no answer and no log line ever holds a token", async () => {
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
