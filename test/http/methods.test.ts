import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { routes } from "../../src/routes/routes.ts";
import worker from "../../src/worker.ts";
import { call } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { ask, namedRoutes, successOf, validRequest } from "../support/requests.ts";
import { makeWorkspace } from "../support/workspace.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"];
const nobody = { token: "" };

const paths = [...Map.groupBy(routes, ({ path }) => path)].map(([path, ofPath]) => ({
  path,
  known: ofPath.map(({ method }) => method.toUpperCase()),
}));

describe.each(paths)("$path", ({ path, known }) => {
  const wrongMethods = methods.filter((method) => !known.includes(method));

  it.each(wrongMethods)("%s returns 405 with Allow, for any caller and any apikey", async (method) => {
    const address = path.replace("{id}", crypto.randomUUID()).replace("{n}", "1");
    const answer = await call(nobody, address, { method, token: null, headers: { apikey: "" } });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, known.join(", ")]);
    if (method !== "HEAD") expect(await answer.json()).toEqual({ error: "Method not allowed" });
  });
});

describe("the documentation", () => {
  const documents = [
    ...["/", "/docs", "/docs/", "/docs/log-time", "/docs/log-time.md", "/docs/pictures/review.png"],
    ...["/api-v1/openapi.json", "/llms.txt", "/llms-full.txt", "/robots.txt"],
    ...["/.well-known/security.txt", "/.well-known/api-catalog"],
  ];

  it.each(documents)("HEAD %s responds like GET, without the body [R12]", async (path) => {
    const [head, get] = [await call(nobody, path, { method: "HEAD" }), await call(nobody, path)];
    const told = ({ status, headers }: Response) => [
      status,
      ...["content-type", "link"].map((name) => headers.get(name)),
    ];
    expect(told(head)).toEqual(told(get));
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it.each(documents)("returns 405 for any other method on %s", async (path) => {
    const answer = await call(nobody, path, { method: "POST" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});

it.each([
  "/index.html",
  "/api-v1/openapi-json",
  "/api-v1/openapi_json",
  "/llms-txt",
  "/api-v1",
  "/api-v1/",
  "/api-v1/nothing",
  "/api-v1/clients/",
  "/api-v1//clients",
  "/API-V1/clients",
  "/api-v1/clients/2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11/projects",
  "/api-v1/deliverables/2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11/nothing",
  "/api-v2/clients",
  "/api-list-clients/all",
  "/rpcs",
  "/review",
  "/settings-x",
  "/sign-in.html",
])("the unknown path %s returns 404 not_found for any method, without requiring a key", async (path) => {
  for (const method of ["GET", "POST", "DELETE", "HEAD"]) {
    const answer = await call(nobody, path, { method, token: null, headers: { apikey: "" } });
    expect(answer.status).toBe(404);
    if (method !== "HEAD") expect(await answer.json()).toEqual({ error: "Not found", code: "not_found" });
  }
});

describe("HTTPS only", () => {
  const loopback = ["http://localhost:8787", "http://127.0.0.1", "http://127.8.9.10:80", "http://[::1]:8787"];
  const remote = [
    "http://api.example.com",
    "http://127.0.0.1.example.com",
    "http://10.0.0.1",
    "http://localhost.example",
  ];

  it.each(remote)("rejects %s with 403 before it checks the path, the method or the keys", async (base) => {
    for (const [path, method] of [
      ["/api-v1/clients", "GET"],
      ["/api-v1/clients", "DELETE"],
      ["/api-v1/nothing", "GET"],
    ] as const) {
      const answer = await call(nobody, path, { method, base, token: null, headers: { apikey: "" } });
      expect([answer.status, await answer.json()]).toEqual([
        403,
        { error: expect.stringContaining("HTTPS") },
      ]);
    }
  });

  it.each(namedRoutes)("rejects $name over plain HTTP before it reads the token", async ({ route }) => {
    const workspace = await makeWorkspace();
    const batches = vi.spyOn(env.DB, "batch");
    const { path, body } = validRequest(route, await makeRecords(workspace));
    batches.mockClear();
    const answer = await call(workspace, path, {
      base: "http://api.example.com",
      ...(body ? { body, key: "k" } : {}),
    });
    expect([answer.status, batches.mock.calls.length]).toEqual([403, 0]);
    batches.mockRestore();
  });

  it("a public host returns 403 over plain HTTP, even with development keys", async () => {
    const answer = await worker.fetch(
      new Request("http://api.example.com/api-v1/clients"),
      { ...env, CURSOR_KEY: "local-development-x" },
      createExecutionContext(),
    );
    expect(answer.status).toBe(403);
  });

  it.each(loopback)("%s is served over plain HTTP for local development", async (base) => {
    const workspace = await makeWorkspace();
    expect((await call(workspace, "/api-v1/clients", { base })).status).toBe(200);
  });
});

it.each(namedRoutes)("$name succeeds over HTTPS", async ({ route }) => {
  expect((await ask(route, await makeWorkspace())).status).toBe(successOf(route));
});
