import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, describe, expect, it, vi } from "vitest";
import { deprecationHeaders, parseDeprecations } from "../../src/http/deprecations.ts";
import worker from "../../src/worker.ts";
import { baseUrl } from "../support/partner.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

const path = "/api-list-clients";
const announced = { deprecated_at: "2026-01-01T00:00:00Z", sunset_at: "2026-06-30T00:00:00Z" };

/**
 * The work after the responses, which buffers log entries for a second, so the tests await it only once, at the end.
 */
const after: Promise<void>[] = [];
afterAll(() => Promise.all(after));

async function ask(workspace: Workspace, configuration: string, address: string, method = "GET") {
  const execution = createExecutionContext();
  const headers = { apikey: env.GATEWAY_PUBLIC_KEY, authorization: `Bearer ${workspace.token}` };
  const bindings = { ...env, DEPRECATIONS: configuration };
  const answer = await worker.fetch(
    new Request(`${baseUrl}${address}`, { method, headers }),
    bindings,
    execution,
  );
  after.push(waitOnExecutionContext(execution));
  return [answer.status, answer.headers.get("deprecation"), answer.headers.get("sunset")];
}

describe("a path with a configured removal date", () => {
  it("sends Deprecation (RFC 9745) and Sunset (RFC 8594), even for a wrong method [K4]", async () => {
    const workspace = await makeWorkspace();
    const configuration = JSON.stringify({ [path]: announced });
    const headers = ["@1767225600", "Tue, 30 Jun 2026 00:00:00 GMT"];
    expect(await ask(workspace, configuration, path)).toEqual([200, ...headers]);
    expect(await ask(workspace, configuration, path, "POST")).toEqual([405, ...headers]);
    expect(await ask(workspace, configuration, path, "HEAD")).toEqual([405, ...headers]);
    expect(await ask(workspace, configuration, "/api-v1/clients")).toEqual([200, null, null]);
  });

  it("sends the headers as soon as the removal is announced", async () => {
    const later = { ...announced, sunset_at: "9999-06-30T00:00:00Z", announced_at: "9999-01-01T00:00:00Z" };
    const configuration = JSON.stringify({ [path]: later });
    expect(await ask(await makeWorkspace(), configuration, path)).toEqual([200, null, null]);
    const announcedMs = Date.parse(later.announced_at);
    expect(deprecationHeaders(configuration, path, announcedMs - 1)).toEqual({});
    expect(Object.keys(deprecationHeaders(configuration, path, announcedMs))).toEqual([
      "Deprecation",
      "Sunset",
    ]);
  });
});

const broken = [
  { slip: "invalid JSON", text: "{" },
  {
    slip: "plain dates",
    text: '{"/api-list-clients":{"deprecated_at":"2026-01-01","sunset_at":"2026-06-30"}}',
  },
  { slip: "a missing date", text: '{"/api-list-clients":{"deprecated_at":"2026-01-01T00:00:00Z"}}' },
  {
    slip: "89 days of notice",
    text: JSON.stringify({ [path]: { ...announced, sunset_at: "2026-03-31T00:00:00Z" } }),
  },
  {
    slip: "89 days of notice from the first Sunset header",
    text: JSON.stringify({ [path]: { ...announced, announced_at: "2026-04-02T00:00:00Z" } }),
  },
  {
    slip: "89 days of notice from the deprecation, however early the announcement",
    text: JSON.stringify({
      [path]: { ...announced, deprecated_at: "2026-04-02T00:00:00Z", announced_at: "2026-01-01T00:00:00Z" },
    }),
  },
];

describe.each(broken)("a configuration with $slip", ({ text }) => {
  it("is rejected by the check", () => {
    expect(() => parseDeprecations(text)).toThrow(/^DEPRECATIONS/);
  });

  it("is logged once, and the route works without the headers", async () => {
    const workspace = await makeWorkspace();
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    expect(await ask(workspace, text, path)).toEqual([200, null, null]);
    expect(await ask(workspace, text, "/api-v1/clients")).toEqual([200, null, null]);
    const lines = log.mock.calls.filter(([line]) => String(line).includes("DEPRECATIONS"));
    log.mockRestore();
    expect(lines).toHaveLength(1);
  });
});

it("the Deprecation header is rounded down to whole seconds", () => {
  const text = JSON.stringify({ [path]: { ...announced, deprecated_at: "2026-01-01T00:00:00.900Z" } });
  expect(deprecationHeaders(text, path, Date.parse("2026-02-01"))).toMatchObject({
    Deprecation: "@1767225600",
  });
});

it("90 days of notice are accepted", () => {
  const text = JSON.stringify({ [path]: { ...announced, sunset_at: "2026-04-01T00:00:00Z" } });
  expect(Object.keys(parseDeprecations(text))).toEqual([path]);
});
