import { describe, expect, it } from "vitest";
import { routes } from "../../src/routes/routes.ts";
import { call } from "../support/partner.ts";
import { ask, namedRoutes, pathTo, successOf } from "../support/requests.ts";
import { makeWorkspace } from "../support/workspace.ts";

const nobody = { token: "" };
const list = (text: string | null) => (text ?? "").toLowerCase().split(/,\s*/).sort();

const exposed = [
  "accept-ranges",
  "content-range",
  "deprecation",
  "etag",
  "ratelimit-limit",
  "ratelimit-policy",
  "ratelimit-reset",
  "retry-after",
  "server-timing",
  "sunset",
  "x-request-id",
  "x-should-retry",
];

describe.each(namedRoutes)("$name", ({ route }) => {
  it("responds to a preflight with 204 without requiring a key", async () => {
    const path = pathTo(route, "anything");
    for (const origin of ["https://partner.example", "null"]) {
      const answer = await call(nobody, path, {
        method: "OPTIONS",
        token: null,
        headers: {
          apikey: "",
          origin,
          "access-control-request-method": route.method.toUpperCase(),
          "access-control-request-headers": "authorization, apikey, content-type, idempotency-key",
        },
      });
      const { headers } = answer;
      expect([answer.status, await answer.text()]).toEqual([204, ""]);
      expect(headers.get("access-control-allow-origin")).toBe(origin);
      expect(list(headers.get("access-control-allow-methods"))).toContain(route.method);
      expect(list(headers.get("access-control-allow-headers"))).toEqual([
        "apikey",
        "authorization",
        "content-type",
        "idempotency-key",
      ]);
      expect(list(headers.get("vary"))).toContain("origin");
      expect(headers.get("access-control-max-age")).toBe("86400");
    }
  });

  it.each(["https://partner.example", "http://localhost:3000", "null"])(
    "returns the Origin %s and exposes its headers, in successes and errors [R6]",
    async (origin) => {
      const workspace = await makeWorkspace();
      const answers = [
        await ask(route, workspace, { headers: { origin } }),
        await ask(route, workspace, { headers: { origin }, token: null }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([successOf(route), 401]);
      for (const { headers } of answers) {
        expect(headers.get("access-control-allow-origin")).toBe(origin);
        expect(list(headers.get("access-control-expose-headers"))).toEqual(exposed);
        expect(list(headers.get("vary"))).toContain("origin");
        expect(headers.has("access-control-allow-credentials")).toBe(false);
      }
    },
  );

  it("responds with 204 to OPTIONS without an Origin", async () => {
    const answer = await call(nobody, pathTo(route, "anything"), {
      method: "OPTIONS",
      token: null,
      headers: { apikey: "" },
    });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(answer.headers.has("access-control-allow-origin")).toBe(false);
  });

  it("sends no CORS headers except Vary without an Origin", async () => {
    const { headers } = await ask(route, await makeWorkspace());
    expect(headers.has("access-control-allow-origin")).toBe(false);
    expect(list(headers.get("vary"))).toContain("origin");
  });
});

it("partner paths return the Origin even with a 404, a 405 or the 403 for plain HTTP", async () => {
  const origin = "https://partner.example";
  const asked = { token: null, headers: { origin, apikey: "" } };
  const answers = [
    await call(nobody, "/api-v1/nothing", asked),
    await call(nobody, "/api-v1/clients", { ...asked, method: "DELETE" }),
    await call(nobody, "/api-v1/clients", { ...asked, base: "http://api.example.com" }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 405, 403]);
  for (const { headers } of answers) expect(headers.get("access-control-allow-origin")).toBe(origin);
});

it("a preflight lists exactly the path's methods", async () => {
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    const answer = await call(nobody, path.replace(/\{\w+\}/g, "x"), { method: "OPTIONS", token: null });
    const methods = [...ofPath.map(({ method }) => method), "options"].sort();
    expect([path, list(answer.headers.get("access-control-allow-methods"))]).toEqual([path, methods]);
  }
});

it("a preflight and a 405 list the same methods for the OpenAPI document", async () => {
  const asked = (method: string) => call(nobody, "/api-v1/openapi.json", { method, token: null });
  const preflight = await asked("OPTIONS");
  expect(list(preflight.headers.get("access-control-allow-methods"))).toEqual(["get", "head", "options"]);
  expect(list((await asked("POST")).headers.get("allow"))).toEqual(["get", "head"]);
});

it("a preflight of any partner path returns 204, even for an unknown path", async () => {
  const { status, headers } = await call(nobody, "/api-v1/nothing", { method: "OPTIONS", token: null });
  expect([status, list(headers.get("access-control-allow-methods"))]).toEqual([
    204,
    ["get", "options", "post"],
  ]);
});
