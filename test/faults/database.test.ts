import { env, exports } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newSecret } from "../../src/platform/secret.ts";
import { baseUrl, call, post } from "../support/partner.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

const batch = env.DB.batch.bind(env.DB);
const outage = new Error("D1_ERROR: D1 DB is overloaded. Requests queued for too long.");

function failTrip(number: number, when: "before" | "after") {
  let trips = 0;
  vi.spyOn(env.DB, "batch").mockImplementation(async (statements: D1PreparedStatement[]) => {
    trips += 1;
    if (trips !== number) return batch(statements) as never;
    if (when === "after") await batch(statements);
    throw outage;
  });
}

const count = async (table: string, { organizationId }: Workspace) =>
  (
    await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE organization_id = ?`)
      .bind(organizationId)
      .first<{ n: number }>()
  )?.n;

interface Creation {
  path: string;
  table: string;
  children?: string;
  body(made: { client_id: string; project_id: string }): object;
}

const creations: Creation[] = [
  { path: "/api-v1/clients", table: "clients", body: () => ({ client_name: "Grace" }) },
  {
    path: "/api-v1/projects",
    table: "projects",
    children: "milestones",
    body: ({ client_id }) => ({ client_id, name: "Relaunch", milestones: [{ name: "Concept" }] }),
  },
  {
    path: "/api-v1/time-entries",
    table: "time_entries",
    body: ({ project_id }) => ({ project_id, hours: 1, spent_date: "2026-01-31" }),
  },
  {
    path: "/api-v1/invoices",
    table: "invoices",
    children: "invoice_line_items",
    body: ({ client_id }) => ({
      client_id,
      line_items: [{ description: "Work", quantity: 1, unit_price: 5 }],
    }),
  },
  {
    path: "/api-ingest-request",
    table: "scope_request_evidence",
    body: ({ client_id }) => ({ client_id, content: "Could we have it in French?" }),
  },
];

let logged: string[];
beforeEach(() => {
  logged = [];
  vi.spyOn(console, "error").mockImplementation((...words) => void logged.push(words.join(" ")));
});

describe.each(creations)("POST $path, when the database fails,", ({ path, table, children, body }) => {
  async function prepared() {
    const workspace = await makeWorkspace();
    const made = async (at: string, what: object) =>
      ((await (await post(workspace, at, what)).json()) as { id: string }).id;
    const client_id = await made("/api-v1/clients", { client_name: "Ada" });
    const project_id = await made("/api-v1/projects", { client_id, name: "Base" });
    const before = [await count(table, workspace), children ? await count(children, workspace) : 0];
    const stored = async () => [
      ((await count(table, workspace)) ?? 0) - (before[0] ?? 0),
      children ? ((await count(children, workspace)) ?? 0) - (before[1] ?? 0) : 0,
    ];
    const one = [1, children ? 1 : 0];
    return { workspace, request: body({ client_id, project_id }), stored, one };
  }

  it.each([
    { trip: 1, name: "while reading" },
    { trip: 2, name: "while writing" },
  ])(
    "returns 503 and stores nothing if it fails $name, and the same key succeeds later",
    async ({ trip }) => {
      const { workspace, request, stored, one } = await prepared();
      failTrip(trip, "before");
      const failed = await post(workspace, path, request, "key");
      expect([failed.status, failed.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await failed.json()).toEqual({ error: expect.stringContaining("could not reach its database") });
      expect(await stored()).toEqual([0, 0]);
      vi.mocked(env.DB.batch).mockRestore();
      expect((await post(workspace, path, request, "key")).status).toBe(201);
      expect(await stored()).toEqual(one);
    },
  );

  it("returns 503 if it fails after the commit, and the same key finds the row", async () => {
    const { workspace, request, stored, one } = await prepared();
    failTrip(2, "after");
    expect((await post(workspace, path, request, "key")).status).toBe(503);
    expect(await stored()).toEqual(one);
    vi.mocked(env.DB.batch).mockRestore();
    const other = await post(workspace, path, { ...request, ...different(path) }, "key");
    expect(await other.json()).toMatchObject({ code: "idempotency_key_reused" });
    const healed = await post(workspace, path, request, "key");
    expect(healed.status).toBe(200);
    expect(await healed.json()).toMatchObject({ idempotent_replay: true });
    expect(await stored()).toEqual(one);
  });

  it("does not log the request's content", async () => {
    const { workspace, request } = await prepared();
    failTrip(2, "before");
    await post(workspace, path, request, "secret-key");
    expect(logged.join()).toContain("D1 DB is overloaded");
    for (const secret of ["secret-key", workspace.token, workspace.organizationId]) {
      expect(logged.join()).not.toContain(secret);
    }
  });
});

/** A change that turns a request into a different valid request. */
const different = (path: string): object =>
  path.endsWith("time-entries") ? { hours: 2 } : { external_id: "another" };

describe("a transient database error", () => {
  const lostOnce = (trip: number, when: "before" | "after") => {
    let trips = 0;
    vi.spyOn(env.DB, "batch").mockImplementation(async (statements: D1PreparedStatement[]) => {
      trips += 1;
      if (trips !== trip) return batch(statements) as never;
      if (when === "after") await batch(statements);
      throw new Error("D1_ERROR: Network connection lost.");
    });
    return () => trips;
  };
  const clients = (workspace: Workspace) => count("clients", workspace);
  const create = (workspace: Workspace) => post(workspace, "/api-v1/clients", { client_name: "Ada" }, "key");

  it("is retried once during a read, before a 503 with Retry-After", async () => {
    const workspace = await makeWorkspace();
    const trips = lostOnce(1, "before");
    expect((await call(workspace, "/api-v1/clients")).status).toBe(200);
    vi.mocked(env.DB.batch).mockRestore();
    expect(trips()).toBe(2);
    const lost = vi.spyOn(env.DB, "batch").mockRejectedValue(new Error("D1_ERROR: Network connection lost."));
    const { status, headers } = await call(workspace, "/api-v1/clients");
    expect([status, headers.get("retry-after"), lost.mock.calls.length]).toEqual([503, "5", 2]);
  });

  it.each([
    { trip: 1, when: "before" },
    { trip: 2, when: "before" },
    { trip: 2, when: "after" },
  ] as const)(
    "in a create is retried: round trip $trip fails $when it takes effect",
    async ({ trip, when }) => {
      const workspace = await makeWorkspace();
      // A token that is new to the isolate costs another round trip.
      await call(workspace, "/api-v1/clients");
      lostOnce(trip, when);
      const made = await create(workspace);
      vi.mocked(env.DB.batch).mockRestore();
      expect(made.status).toBe(201);
      expect(await made.json()).not.toHaveProperty("idempotent_replay");
      expect(await clients(workspace)).toBe(1);
      expect((await create(workspace)).status).toBe(200);
    },
  );

  it("is not retried during a legacy create, which has no key", async () => {
    const workspace = await makeWorkspace();
    const client_id = ((await (await create(workspace)).json()) as { id: string }).id;
    const body = { title: "Poster", client_id, embed_url: "https://example.com/poster" };
    lostOnce(2, "before");
    expect((await call(workspace, "/api-create-deliverable", { body })).status).toBe(503);
    expect(await count("deliverables", workspace)).toBe(0);
  });
});

it("a page returns 503 with Retry-After if the database is unavailable", async () => {
  vi.spyOn(env.DB, "batch").mockRejectedValue(outage);
  const headers = { cookie: `__Host-session=${newSecret()}` };
  const answer = await exports.default.fetch(`${baseUrl}/settings/lumen/tokens`, { headers });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await answer.text()).toContain("Nothing was lost. Try again in a moment.");
});

it.each([
  ["late", () => new Promise<never>(() => {}), 503],
  ["unreachable", () => Promise.reject(Object.assign(new Error("reset"), { retryable: true })), 503],
  ["throwing a TypeError", () => Promise.reject(new TypeError("x is undefined")), 500],
] as const)("a coordinator that is %s causes an error", async (_, answer, status) => {
  const workspace = await makeWorkspace();
  const getByName = env.ORGANIZATION_COORDINATOR.getByName.bind(env.ORGANIZATION_COORDINATOR);
  vi.spyOn(env.ORGANIZATION_COORDINATOR, "getByName").mockImplementation(
    (name) =>
      new Proxy(getByName(name), { get: (stub, key) => (key === "count" ? answer : Reflect.get(stub, key)) }),
  );
  expect((await call(workspace, "/api-v1/clients")).status).toBe(status);
});
