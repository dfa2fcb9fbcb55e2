import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { baseUrl, call } from "../support/partner.ts";
import { insertToken, makeWorkspace } from "../support/workspace.ts";

/** Errors as problem details (RFC 9457), for requests that accept the media type (contract E9). */

type Options = NonNullable<Parameters<typeof call>[2]>;

const accept = "application/problem+json";

const ask = (workspace: { token: string }, path: string, { headers, ...options }: Options = {}) =>
  call(workspace, path, { ...options, headers: { accept, ...headers } });

interface FieldProblem {
  field: string;
  message: string;
  suggestion?: string;
}

async function problemsOf(
  workspace: { token: string },
  path: string,
  body?: unknown,
): Promise<FieldProblem[]> {
  const answer = await ask(workspace, path, body === undefined ? {} : { body, key: "k" });
  const { errors, error } = await answer.json<{ errors: FieldProblem[]; error: string }>();
  expect([answer.status, errors[0]?.message]).toEqual([400, error]);
  return errors;
}

describe("an error for a request with Accept: application/problem+json", () => {
  it("adds type, title, status, detail and instance to its fields [E9]", async () => {
    const workspace = await makeWorkspace();
    const token = await insertToken(workspace, ["time:read"]);
    const answer = await ask({ token }, "/api-v1/clients");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([403, accept]);
    expect(answer.headers.get("vary")).toMatch(/\bAccept\b/);
    expect(await answer.json()).toEqual({
      type: `${baseUrl}/docs/errors#insufficient_scope`,
      title: "The token does not have the scope in `required_scope`",
      status: 403,
      detail: "This token lacks the scope that this route requires",
      instance: `urn:uuid:${answer.headers.get("x-request-id")}`,
      error: "This token lacks the scope that this route requires",
      code: "insufficient_scope",
      required_scope: "client:read",
    });
  });

  it.each([
    ["401", "/api-v1/clients", { token: "svc_none" }],
    ["404", "/api-v1/nothing", {}],
    ["405", "/api-v1/clients", { method: "DELETE" }],
    ["403", "/api-v1/clients", { base: "http://api.example.com" }],
  ] as const)("is a problem document for a %s [E9]", async (status, path, options) => {
    const answer = await ask(await makeWorkspace(), path, options);
    const { type, status: said, detail, error } = await answer.json<Record<string, unknown>>();
    expect([answer.status, said, detail]).toEqual([Number(status), Number(status), error]);
    expect(type).toMatch(new RegExp(`/docs/errors#(?:${status}|[a-z_]+)$`));
  });

  it("is a problem document even for an unexpected error [E9]", async () => {
    const workspace = await makeWorkspace();
    vi.spyOn(env.DB, "batch").mockRejectedValue(new Error("broken"));
    const answer = await ask(workspace, "/api-v1/clients");
    vi.restoreAllMocks();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([500, accept]);
    expect(await answer.json()).toMatchObject({
      error: "Unexpected error",
      detail: "Unexpected error",
      status: 500,
    });
  });

  it("keeps its headers [E9, R4]", async () => {
    const workspace = await makeWorkspace();
    const answer = await ask(workspace, "/api-v1/clients?limit=0", {
      headers: { origin: "https://a.example" },
    });
    expect(answer.headers.get("ratelimit-limit")).toBe("300");
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://a.example");
  });
});

it("the media type in Accept is case-insensitive (RFC 9110, 8.3.1) [E9]", async () => {
  const headers = { accept: "Application/Problem+JSON" };
  const answer = await ask(await makeWorkspace(), "/api-v1/clients?limit=0", { headers });
  expect(answer.headers.get("content-type")).toBe(accept);
});

it.each([
  "",
  "*/*",
  "application/json",
  "application/problem+json;q=0, application/json",
  "application/problem",
])("an error is unchanged for any other Accept: %s [E9]", async (other) => {
  const answer = await ask(await makeWorkspace(), "/api-v1/clients?limit=0", { headers: { accept: other } });
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(await answer.json()).toEqual({ error: "limit must be an integer from 1 to 200" });
});

it("a success is always application/json [E9]", async () => {
  const answer = await ask(await makeWorkspace(), "/api-v1/clients");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
});

describe("a 400's list of invalid fields", () => {
  it("includes the body's fields, with a suggestion for an unknown field [E9]", async () => {
    const workspace = await makeWorkspace();
    const body = {
      clientId: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11",
      curency: "EUR",
      color: "red",
      line_items: [{ description: "", quantity: "two", unit_prices: 1 }],
    };
    const found = await problemsOf(workspace, "/api-v1/invoices", body);
    expect(found).toHaveLength(8);
    expect(found).toEqual(
      expect.arrayContaining([
        { field: "client_id", message: "client_id is required" },
        { field: "clientId", message: "clientId is not a known field", suggestion: "client_id" },
        { field: "curency", message: "curency is not a known field", suggestion: "currency" },
        { field: "color", message: "color is not a known field" },
        expect.objectContaining({ field: "line_items.0.description" }),
        { field: "line_items.0.quantity", message: "line_items.0.quantity must be a number" },
        { field: "line_items.0.unit_price", message: "line_items.0.unit_price is required" },
        expect.objectContaining({ field: "line_items.0.unit_prices", suggestion: "unit_price" }),
      ]),
    );
  });

  it("includes the fields of the path, the query and the body together [E9]", async () => {
    const found = await problemsOf(await makeWorkspace(), "/api-v1/deliverables/x/versions?dry_runs=1", {
      titel: "x",
    });
    expect(found.map(({ field, suggestion }) => [field, suggestion])).toEqual(
      expect.arrayContaining([
        ["id", undefined],
        ["dry_runs", "dry_run"],
      ]),
    );
    expect(found.length).toBeGreaterThan(2);
  });

  it.each<[string, unknown, FieldProblem]>([
    [
      "/api-v1/clients?statuss=active",
      undefined,
      { field: "statuss", message: "statuss is not a known field", suggestion: "status" },
    ],
    [
      "/api-v1/projects",
      { client_id: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11", name: "Relaunch" },
      { field: "client_id", message: "client_id not found in this workspace" },
    ],
    [
      "/api-v1/deliverables",
      { client_id: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11", title: "Logo" },
      { field: "embed_url", message: "Provide embed_url or image_base64" },
    ],
    ["/api-v1/clients", "{", { field: "body", message: "The body is not valid JSON" }],
    [
      "/api-v1/time-entries",
      { project_id: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11", hours: 1 },
      { field: "spent_date", message: "spent_date is required with hours" },
    ],
  ])("has one entry for a single problem: %s [E9]", async (path, body, problem) => {
    expect(await problemsOf(await makeWorkspace(), path, body)).toEqual([problem]);
  });

  it("has at most 100 fields [E9]", async () => {
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 1]));
    expect(await problemsOf(await makeWorkspace(), "/api-v1/clients", body)).toHaveLength(100);
  });
});
