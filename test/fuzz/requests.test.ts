import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Route, WriteRoute } from "../../src/http/route.ts";
import { routes } from "../../src/routes/routes.ts";
import { call, post } from "../support/partner.ts";
import { pathTo } from "../support/requests.ts";
import { rowCounts } from "../support/rows.ts";
import type { Workspace } from "../support/workspace.ts";
import { headerText, makeUnlimitedWorkspace, mutated, withRecords } from "./generated.ts";

const stored = async (workspace: Workspace) => JSON.stringify(await rowCounts(workspace));

/** Real records, so that nearly valid requests get past the schemas to the rules. */
interface Records {
  client_id: string;
  project_id: string;
  deliverable_id: string;
}

async function makeRecords(workspace: Workspace): Promise<Records> {
  const made = async (path: string, body: object) =>
    ((await (await post(workspace, path, body)).json()) as { id: string }).id;
  const client_id = await made("/api-v1/clients", { client_name: "Ada", email: "ada@example.com" });
  const project_id = await made("/api-v1/projects", { client_id, name: "Relaunch" });
  const deliverable_id = await made("/api-v1/deliverables", {
    client_id,
    project_id,
    title: "Logo",
    embed_url: "https://example.com/logo",
  });
  return { client_id, project_id, deliverable_id };
}

const bodyOf = (route: WriteRoute, records: Records): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: mutated(withRecords(route.examples.body as Record<string, unknown>, records)).map((body) =>
        JSON.stringify(body),
      ),
    },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 400 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("", "{", "[]", "null", '"', "[".repeat(5_000), '{"a":'.repeat(2_000)),
    },
  );

interface Attempt {
  path: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
  token?: string | null;
}

function attemptOn(route: Route, records: Records): fc.Arbitrary<Attempt> {
  const segment = fc.oneof(
    fc.uuid(),
    fc.constantFrom(records.deliverable_id, "%", "%E0%A4%A", "..%2f", "%00"),
    fc
      .string({ unit: "binary", maxLength: 60 })
      .map((text) => encodeURIComponent(text.toWellFormed()) || "x"),
  );
  const query = fc.dictionary(
    fc.constantFrom("limit", "cursor", "limit[]", ...Object.keys(route.query?.shape ?? { status: null })),
    fc.string({ unit: "binary", maxLength: 80 }).map((text) => text.toWellFormed()),
    { maxKeys: 3 },
  );
  const numbers = fc.oneof(fc.constantFrom("1", "0", "-1", "2e0", "999999999999"), segment);
  const path = fc.tuple(segment, numbers, query).map(([id, number, parameters]) => {
    const search = new URLSearchParams(parameters).toString();
    return pathTo(route, id, number) + (search ? `?${search}` : "");
  });
  const headers = fc.record(
    {
      "idempotency-key": fc.oneof(headerText, fc.uuid()),
      "content-type": fc.oneof(fc.constant("application/json"), headerText),
      origin: fc.oneof(fc.constantFrom("null", "https://partner.example"), headerText),
      "accept-encoding": headerText,
    },
    { requiredKeys: ["idempotency-key"] },
  );
  return fc.record({
    path,
    headers,
    method: fc.constant(route.method.toUpperCase()),
    ...(route.kind === "write" ? { body: bodyOf(route, records) } : {}),
  }) as fc.Arbitrary<Attempt>;
}

describe("any input gets a fast, documented response and has no unexpected effects [K1]", () => {
  it.each(routes.map((route) => ({ name: `${route.method.toUpperCase()} ${route.path}`, route })))(
    "$name",
    async ({ route }) => {
      const workspace = await makeUnlimitedWorkspace();
      const records = await makeRecords(workspace);
      let before = await stored(workspace);
      await fc.assert(
        fc.asyncProperty(attemptOn(route, records), async ({ path, ...request }) => {
          const startedMs = Date.now();
          const response = await call(workspace, path, request);
          const text = await response.text();
          expect(Date.now() - startedMs).toBeLessThan(10_000);
          expect(response.status, text).not.toBe(500);
          const after = await stored(workspace);
          if (response.status >= 400) {
            expect(typeof JSON.parse(text).error).toBe("string");
            expect(after).toBe(before);
          }
          before = after;
        }),
        { numRuns: 40 },
      );
    },
  );

  it("any wrong authorization or apikey gets a 401", async () => {
    const workspace = await makeUnlimitedWorkspace();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        headerText,
        headerText,
        async (route, authorization, apikey) => {
          const path = pathTo(route, crypto.randomUUID());
          const method = route.method.toUpperCase();
          const body = route.kind === "write" ? { body: "{}" } : {};
          const strange = { method, token: null, ...body };
          const unknownToken = await call(workspace, path, { ...strange, headers: { authorization } });
          const unknownKey = await call(workspace, path, { ...strange, headers: { apikey } });
          expect([unknownToken.status, unknownKey.status]).toEqual([401, 401]);
        },
      ),
      { numRuns: 40 },
    );
  });
});
