import { type Schema, Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import openapi from "../../openapi.json";
import { documentOf } from "../../scripts/openapi/document.ts";
import { isFailureName } from "../../src/contract/refusal.ts";
import { refusals } from "../../src/contract/refusals.ts";
import { routes } from "../../src/routes/routes.ts";
import { eventNames, webhookEvents } from "../../src/webhooks/events.ts";
import { resolve } from "../support/conformance.ts";
import { call } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { ask, namedRoutes, writeRoutes } from "../support/requests.ts";
import { makeWorkspace } from "../support/workspace.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is data, which these tests check.
type Json = any;

const nobody = { token: "" };
const withoutKeys = { token: null, headers: { apikey: "", origin: "https://partner.example" } };
const document: Json = JSON.parse(JSON.stringify(openapi).replaceAll("#/components/schemas/", "#/$defs/"));

function problems(schema: Schema, value: unknown): string[] {
  const { errors } = new Validator({ ...schema, $defs: document.components.schemas }, "2020-12").validate(
    value,
  );
  return errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`);
}

/** The invalid examples under a media type, with their schema errors. */
const wrongExamples = (content: Json): [string, string[]][] =>
  Object.entries<Json>(content?.["application/json"]?.examples ?? {})
    .map(([name, { value }]): [string, string[]] => [
      name,
      problems(content["application/json"].schema, value),
    ])
    .filter(([, wrong]) => wrong.length > 0);

describe("the OpenAPI document", () => {
  it("matches the routes [K1]", () => {
    expect(JSON.parse(JSON.stringify(documentOf(routes, webhookEvents)))).toEqual(openapi);
  });

  it("is served at /api-v1/openapi.json to any origin, without requiring a key [R14]", async () => {
    const answer = await call(nobody, "/api-v1/openapi.json", withoutKeys);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://partner.example");
    expect(await answer.json()).toEqual(openapi);
    for (const method of ["POST", "DELETE"]) {
      const wrong = await call(nobody, "/api-v1/openapi.json", { ...withoutKeys, method });
      expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
    const preflight = await call(nobody, "/api-v1/openapi.json", { ...withoutKeys, method: "OPTIONS" });
    expect(preflight.status).toBe(204);
  });

  it("is OpenAPI 3.1 and has the contract's version", () => {
    expect([openapi.openapi, openapi.info.version]).toEqual([expect.stringMatching(/^3\.1\./), "1.3.0"]);
  });

  it("has exactly the product's routes [R15]", () => {
    const documented = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.sort()).toEqual(namedRoutes.map(({ name }) => name).sort());
    const ids = routes.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("documents every failure on at least one route [E2]", () => {
    const names = Object.values<Json>(document.paths)
      .flatMap((item) => Object.values<Json>(item))
      .flatMap(({ responses }) => Object.values<Json>(responses).map(resolve))
      .flatMap(({ content }) => Object.keys(content?.["application/json"]?.examples ?? {}));
    expect(
      Object.keys(refusals)
        .filter(isFailureName)
        .filter((name) => !names.includes(name)),
    ).toEqual([]);
  });

  it("marks only the legacy client list as deprecated [K6]", () => {
    for (const { route } of namedRoutes) {
      const legacy = route.path === "/api-list-clients";
      expect([route.path, document.paths[route.path][route.method].deprecated ?? false]).toEqual([
        route.path,
        legacy,
      ]);
    }
  });

  it("includes every event, with an example that matches its schema [W6]", () => {
    expect(Object.keys(document.webhooks).sort()).toEqual([...eventNames].sort());
    for (const [name, { post }] of Object.entries<Json>(document.webhooks)) {
      const { content } = post.requestBody;
      expect([name, wrongExamples(content)]).toEqual([name, []]);
      expect(content["application/json"].examples.event.value.event).toBe(name);
      const headers = post.parameters.map(resolve).map((header: Json) => header.name);
      expect(headers).toContain("webhook-signature");
    }
  });
});

describe.each(namedRoutes)("$name in the OpenAPI document", ({ route }) => {
  const operation = document.paths[route.path][route.method];

  it("requires the apikey and a token with the route's scope", () => {
    expect(operation.security).toEqual([{ token: [], gatewayKey: [] }]);
    expect(operation["x-required-scope"]).toBe(route.scope ?? undefined);
    expect(document.components.securitySchemes).toMatchObject({
      token: { type: "http", scheme: "bearer" },
      gatewayKey: { type: "apiKey", in: "header", name: "apikey" },
    });
  });

  it("requires an Idempotency-Key if and only if the route does", () => {
    const parameters = (operation.parameters ?? []).map(resolve);
    const header = parameters.find(({ name }: Json) => name === "Idempotency-Key");
    const keyed = route.kind === "write" && route.idempotent;
    expect([header?.required ?? false, header?.schema.maxLength]).toEqual([keyed, keyed ? 200 : undefined]);
  });

  it("lists every status that the route returns", () => {
    const statuses = Object.keys(operation.responses);
    expect(statuses).toEqual(expect.arrayContaining(["401", "403", "405", "429", "500"]));
    if (route.kind === "write") expect(statuses).toEqual(expect.arrayContaining(["400", "413", "415"]));
    if (route.kind === "write" && route.idempotent)
      expect(statuses).toEqual(expect.arrayContaining(["200", "409"]));
    if (route.path.includes("{id}")) expect(statuses).toContain("404");
  });

  it("has examples that match its schemas, in the document and in the code", () => {
    expect(wrongExamples(operation.requestBody?.content)).toEqual([]);
    for (const [status, response] of Object.entries<Json>(operation.responses)) {
      const { content } = resolve(response);
      if (route.kind === "read" && route.contentTypes && Number(status) < 400) continue;
      expect([status, wrongExamples(content)]).toEqual([status, []]);
      expect(Object.keys(content["application/json"].examples).length).toBeGreaterThan(0);
    }
    expect(route.answer.parse(route.examples.answer)).toEqual(route.examples.answer);
    if (route.kind === "write") expect(route.body.safeParse(route.examples.body).success).toBe(true);
  });
});

it("the document links only to operations that accept the linked values", () => {
  const calls = Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item));
  for (const { operationId, responses } of calls)
    for (const [status, { links = {} }] of Object.entries<Json>(responses))
      for (const link of Object.values<Json>(links)) {
        const target = calls.find((call) => call.operationId === link.operationId);
        const known = (target?.parameters ?? []).map(resolve).map(({ name }: Json) => name);
        expect([operationId, status, known]).toEqual([
          operationId,
          expect.stringMatching(/^2/),
          expect.arrayContaining(Object.keys(link.parameters)),
        ]);
      }
});

it("the document allows unknown fields only in the legacy create's body", () => {
  const schemas: Record<string, Json> = openapi.components.schemas;
  const open = Object.entries<Json>(openapi.paths).flatMap(([path, { post }]) => {
    const given = post?.requestBody?.content["application/json"].schema;
    const body = given?.$ref ? schemas[given.$ref.split("/").at(-1)] : given;
    const shapes: Json[] = body ? (body.oneOf ?? body.anyOf ?? [body]) : [];
    return shapes.some((shape) => shape.additionalProperties !== false) ? [path] : [];
  });
  expect(open).toEqual(["/api-create-deliverable"]);
});

it("the document explains where a list's cursor comes from, and which cursor to store for the feed", () => {
  const cursors = Object.entries<Json>(openapi.paths).flatMap(([path, { get }]) =>
    (get?.parameters ?? [])
      .map((parameter: Json) => (parameter.$ref ? resolve(parameter) : parameter))
      .filter(({ name }: Json) => name === "cursor")
      .map(({ description }: Json) => [
        path,
        /`?next_cursor/.test(description),
        /latest_cursor/.test(description),
      ]),
  );
  expect(cursors).toHaveLength(9);
  for (const cursor of cursors) expect(cursor).toEqual([cursor[0], true, cursor[0] === "/api-v1/events"]);
});

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ofEach = ["client_ref", "share_url", "created_at", "updated_at"];

/** A response without values that are unique to each record: ids, keys, timestamps and review links. */
const withoutOwn = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (field, value) => {
    if (ofEach.includes(field)) return typeof value;
    return uuid.test(value) ? "id" : value;
  });

it.each(writeRoutes.filter(({ route }) => !route.path.includes("{id}")))(
  "the example response of $name is what the service returns for the example body",
  async ({ route }) => {
    const workspace = await makeWorkspace();
    const answer = await ask(route, workspace, {}, await makeRecords(workspace, { currency: "EUR" }));
    expect(withoutOwn(await answer.json())).toEqual(withoutOwn(route.examples.answer));
    const { created_at, updated_at = created_at } = route.examples.answer as Json;
    expect(updated_at).toBe(created_at);
  },
);
