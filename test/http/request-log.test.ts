import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TracedEvent } from "../../src/webhooks/deliveries/record.ts";
import type { ApiRequest } from "../../src/workspace/request-log/record.ts";
import type { Usage } from "../../src/workspace/request-log/usage.ts";
import { admin, refusal } from "../support/admin.ts";
import { advanceClock, startClock, stopClock } from "../support/clock.ts";
import { coordinatorStub } from "../support/coordinator.ts";
import { watchMails } from "../support/mails.ts";
import { restoreDatabase, setTripOutcomes } from "../support/outages.ts";
import { call, post } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { namedRoutes, validRequest } from "../support/requests.ts";
import { makeClient, makeDeliverable, makeStudio, type Studio } from "../support/review.ts";
import { recordEvents, register, settled } from "../support/webhooks.ts";
import { insertToken, makePlan, makeWorkspace, type Workspace } from "../support/workspace.ts";

const path = "/api-v1/requests";

interface Page {
  data: ApiRequest[];
  next_cursor: string | null;
}

const own = async (workspace: { token: string }, query = "") =>
  (await call(workspace, path + query)).json<Page>();

const all = (workspace: Workspace, filter: object = {}) =>
  admin<ApiRequest[]>(workspace, "list-requests", { limit: "1000", ...filter });

const idOf = (answer: Response) => answer.headers.get("x-request-id") ?? "";

const tokenOf = async ({ organizationId }: Workspace) =>
  env.DB.prepare("SELECT id, name, token_prefix FROM api_tokens WHERE organization_id = ?")
    .bind(organizationId)
    .first<ApiRequest["token"]>();

beforeEach(() => {
  watchMails();
});

describe("a request with a known token", () => {
  it("is logged with its caller, route and result [U1]", async () => {
    const workspace = await makeWorkspace();
    const begin = new Date().toISOString();
    const created = await post(workspace, "/api-v1/clients", { client_name: "Nora" });
    const [entry, ...others] = await all(workspace);
    expect(others).toEqual([]);
    expect(entry).toEqual({
      request_id: idOf(created),
      at: expect.any(String),
      token: await tokenOf(workspace),
      method: "POST",
      route: "/api-v1/clients",
      status: 201,
      code: null,
      error: null,
      duration_ms: expect.any(Number),
      replay: false,
      subject_id: (await created.json<{ id: string }>()).id,
    });
    expect([begin <= (entry?.at ?? ""), (entry?.at ?? "") <= new Date().toISOString()]).toEqual([true, true]);
  });

  it("is logged with the code and text of the refusal [U1]", async () => {
    const workspace = await makeWorkspace();
    const id = crypto.randomUUID();
    await call(workspace, `/api-v1/projects/${id}`);
    await post(workspace, "/api-v1/time-entries", { hours: 25 });
    const kept = (await all(workspace)).map(({ status, code, error, subject_id }) => [
      status,
      code,
      error,
      subject_id,
    ]);
    expect(kept).toEqual([
      [400, null, expect.stringMatching(/ is required$/), null],
      [404, "not_found", "Not found", id],
    ]);
  });

  it.each([
    ["a 403 for the plan", { plan: "free" }, 403, "upgrade_required"],
    ["a 403 for its scopes", { scopes: ["time:read"] }, 403, "insufficient_scope"],
  ] as const)("is logged whichever step rejects it: %s [U1]", async (_, options, status, code) => {
    const workspace = await makeWorkspace(options);
    await call(workspace, "/api-v1/clients");
    expect(await all(workspace)).toMatchObject([{ status, code }]);
  });

  it("is logged even if it gets a 429 or a 503 [U1]", async () => {
    const limited = await makeWorkspace({ plan: await makePlan(1) });
    for (let turn = 0; turn < 2; turn++) await call(limited, "/api-v1/clients");
    expect((await all(limited)).map(({ status }) => status)).toEqual([429, 200]);
    const workspace = await makeWorkspace();
    await call(workspace, "/api-v1/clients");
    setTripOutcomes((trip) => (trip === 1 ? "through" : "lost"));
    await post(workspace, "/api-v1/clients", { client_name: "Nora" }).finally(restoreDatabase);
    expect((await all(workspace)).map(({ status }) => status)).toEqual([503, 200]);
  });

  it("is logged as a replay with the id of the original record [U1]", async () => {
    const workspace = await makeWorkspace();
    const create = () => post(workspace, "/api-v1/clients", { client_name: "Nora" }, "key");
    const { id } = await (await create()).json<{ id: string }>();
    await create();
    expect(await all(workspace)).toMatchObject([
      { status: 200, replay: true, subject_id: id },
      { status: 201, replay: false, subject_id: id },
    ]);
  });

  it("is logged without a record id for a dry run [U1]", async () => {
    const workspace = await makeWorkspace();
    await post(workspace, "/api-v1/clients?dry_run=true", { client_name: "Nora" });
    expect(await all(workspace)).toMatchObject([{ status: 200, subject_id: null }]);
  });
});

describe("429s for the same token, route and minute", () => {
  beforeEach(() => stopClock());
  afterEach(startClock);

  it("share one log entry with the first request id and a count [U8]", async () => {
    const workspace = await makeWorkspace({ plan: await makePlan(1) });
    const list = () => call(workspace, "/api-v1/clients");
    await list();
    const first = idOf(await list());
    const second = idOf(await list());
    await admin(workspace, "usage", {});
    // These are logged in a later batch than the first two.
    await Promise.all(Array.from({ length: 10 }, list));
    advanceClock(1);
    await call(workspace, "/api-v1/projects");
    const listed = await all(workspace, { status: "429" });
    expect(listed.map(({ route, count }) => [route, count])).toEqual([
      ["/api-v1/projects", 1],
      ["/api-v1/clients", 12],
    ]);
    expect(listed.at(-1)?.request_id).toBe(first);
    expect((await all(workspace, { status: "200" }))[0]).not.toHaveProperty("count");
    expect(await admin(workspace, "show-request", { request_id: first })).toMatchObject({ count: 12 });
    expect((await refusal(workspace, "show-request", { request_id: second })).message).toBe(
      `There is no request ${second} in this workspace`,
    );
    const { days, tokens } = await admin<Usage>(workspace, "usage", {});
    expect([days[0]?.requests, days[0]?.refusals, tokens[0]?.requests]).toEqual([14, 13, 14]);
    advanceClock(60);
    const own = await (await call(workspace, `${path}?status=429`)).json<Page>();
    expect(own.data).toEqual(listed);
    expect(own.data.map(({ count }) => count)).toEqual([1, 12]);
  });
});

it("a request that is rejected before its token is known is not logged [U1]", async () => {
  const workspace = await makeWorkspace();
  await call(workspace, "/api-v1/clients", { token: `svc_${"0".repeat(36)}` });
  await call(workspace, "/api-v1/clients", { headers: { apikey: "wrong" } });
  await call(workspace, "/api-v1/nothing");
  await call(workspace, "/api-v1/clients", { method: "DELETE" });
  expect(await all(workspace)).toEqual([]);
});

describe("content from the caller", () => {
  const canary = "canary";
  const canaries = (value: unknown): unknown => {
    if (typeof value === "string") return canary;
    if (Array.isArray(value)) return value.map(canaries);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, canaries(inner)]));
  };
  const stored = (workspace: Workspace) =>
    runInDurableObject(coordinatorStub(workspace), (_, state) =>
      JSON.stringify([
        ...state.storage.sql.exec("SELECT entries FROM logged_requests"),
        ...state.storage.sql.exec("SELECT * FROM daily_usage"),
      ]),
    );

  it.each(namedRoutes)("is not stored: $name [U2]", async ({ route }) => {
    const workspace = await makeWorkspace();
    const { path, body } = validRequest(route, await makeRecords(workspace));
    const sent = {
      origin: `https://${canary}.example`,
      "user-agent": canary,
      "cf-connecting-ip": "203.0.113.77",
    };
    const options = { method: route.method.toUpperCase(), headers: sent };
    const bodies = body
      ? [
          body,
          canaries(body),
          { ...body, [canary]: canary },
          { ...body, metadata: { [canary]: { [canary]: "\ud800" } }, line_items: [{ [canary]: 1 }] },
          `{"${canary}": 1, "${canary}": 2}`,
          `{"${canary}": 1e400}`,
        ]
      : [undefined];
    for (const each of bodies)
      await call(workspace, path, {
        ...options,
        ...(each ? { body: each, key: `${canary}-${crypto.randomUUID()}` } : {}),
      });
    await call(workspace, `${path}?${canary}=${canary}&cursor=${canary}&from=${canary}`, options);
    await call(workspace, `${path}?${canary}=1&${canary}=2`, options);
    await call(workspace, path.replace(/[0-9a-f-]{36}/, canary), options);
    expect((await all(workspace)).length).toBeGreaterThan(2);
    const kept = await stored(workspace);
    for (const secret of [canary, workspace.token.slice(4), "203.0.113.77"])
      expect(kept).not.toContain(secret);
  });

  it("is not stored with the error about a misspelled field [U2]", async () => {
    const workspace = await makeWorkspace();
    await post(workspace, "/api-v1/clients", { client_nam: "Nora" });
    await post(workspace, "/api-v1/clients", { client_name: 5 });
    expect((await all(workspace)).map(({ error }) => error)).toEqual([
      "client_name must be a string",
      "… is not a known field (client_name?)",
    ]);
  });
});

describe("GET /api-v1/requests", () => {
  it("lists the token's own requests with any scopes, newest first, in pages [U3]", async () => {
    const workspace = await makeWorkspace({ scopes: ["time:read"] });
    const another = await insertToken(workspace);
    await call({ token: another }, "/api-v1/clients");
    const asked: string[] = [];
    for (let turn = 0; turn < 5; turn++) asked.unshift(idOf(await call(workspace, "/api-v1/time-entries")));
    const first = await own(workspace, "?limit=2");
    expect(first.data.map(({ request_id }) => request_id)).toEqual(asked.slice(0, 2));
    const second = await own(workspace, `?limit=2&cursor=${first.next_cursor}`);
    expect(second.data.map(({ request_id }) => request_id)).toEqual(asked.slice(2, 4));
    const last = await own(workspace, `?limit=2&cursor=${second.next_cursor}`);
    expect([last.data.map(({ request_id }) => request_id), last.next_cursor]).toEqual([asked.slice(4), null]);
  });

  it("filters by a status or a class of statuses [U3]", async () => {
    const workspace = await makeWorkspace();
    await call(workspace, "/api-v1/clients");
    await call(workspace, `/api-v1/clients/${crypto.randomUUID()}`);
    await post(workspace, "/api-v1/clients", {});
    const statuses = async (status: string) =>
      (await own(workspace, `?status=${status}`)).data.map((each) => each.status);
    expect([await statuses("404"), await statuses("4xx"), await statuses("5xx")]).toEqual([
      [404],
      [400, 404],
      [],
    ]);
  });

  it.each([
    ["status=40", "status must be a status like 404, or 4xx"],
    ["limit=0", "limit must be an integer from 1 to 200"],
    ["cursor=x", "cursor is not valid for this list"],
    ["updated_since=2026-01-01T00:00:00Z", "updated_since is not a known field"],
  ])("rejects %s [U3]", async (query, error) => {
    const answer = await call(await makeWorkspace(), `${path}?${query}`);
    expect([answer.status, await answer.json()]).toEqual([400, { error }]);
  });

  it("rejects a cursor from another token or other filters [U3]", async () => {
    const workspace = await makeWorkspace();
    for (let turn = 0; turn < 3; turn++) await call(workspace, "/api-v1/clients");
    const { next_cursor } = await own(workspace, "?limit=1");
    const token = await insertToken(workspace);
    const refused = { error: "cursor is not valid for this list" };
    expect(await (await call({ token }, `${path}?cursor=${next_cursor}`)).json()).toEqual(refused);
    expect(await (await call(workspace, `${path}?status=200&cursor=${next_cursor}`)).json()).toEqual(refused);
  });
});

describe("list-requests", () => {
  it("filters by token, status, route and time, in pages [U4]", async () => {
    const workspace = await makeWorkspace();
    const another = await insertToken(workspace);
    const before = new Date(Date.now() - 1000).toISOString();
    await call(workspace, "/api-v1/clients");
    await call({ token: another }, "/api-v1/projects");
    await call(workspace, `/api-v1/clients/${crypto.randomUUID()}`);
    const [missing, projects, clients] = await all(workspace);
    expect(await all(workspace, { token: projects?.token.id })).toEqual([projects]);
    expect(await all(workspace, { status: "4xx" })).toEqual([missing]);
    expect(await all(workspace, { status: "404", route: "/api-v1/clients/{id}" })).toEqual([missing]);
    expect(await all(workspace, { since: before })).toHaveLength(3);
    expect(await all(workspace, { until: before })).toEqual([]);
    expect(await all(workspace, { limit: "1", cursor: projects?.request_id })).toEqual([clients]);
    expect((await refusal(workspace, "list-requests", { status: "4x" })).message).toMatch(/^status /);
  });
});

describe("show-request", () => {
  const show = (workspace: Workspace, request_id: string) =>
    admin<ApiRequest & { events: TracedEvent[] }>(workspace, "show-request", { request_id });

  const send = async (studio: Studio) => {
    const id = await makeDeliverable(studio, {
      client_id: await makeClient(studio, { email: `${crypto.randomUUID()}@acme.example` }),
    });
    return { id, send: () => post(studio, `/api-v1/deliverables/${id}/send`, {}) };
  };

  it("shows exactly the events of the request's transaction, with each receiver's response [U5]", async () => {
    const studio = await makeStudio();
    const [hearing, failing] = [await register(studio), await register(studio, "status/500")];
    const sends = await Promise.all([1, 2, 3].map(() => send(studio)));
    const answers = await Promise.all([...sends.map((each) => each.send()), recordEvents(studio, 3)]);
    await Promise.all([settled(hearing), settled(failing)]);
    for (const [index, { id }] of sends.entries()) {
      const answer = answers[index] as Response;
      expect(answer.status).toBe(200);
      const { events, ...request } = await show(studio, idOf(answer));
      expect(request).toMatchObject({ route: "/api-v1/deliverables/{id}/send", subject_id: id });
      const { results } = await env.DB.prepare("SELECT id, event FROM events WHERE subject_id = ?")
        .bind(id)
        .all();
      expect(events.map((event) => ({ id: event.id, event: event.event }))).toEqual(results);
      const told = events[0]?.deliveries.map(({ endpoint_id, attempts }) => [
        endpoint_id,
        attempts.map(({ response_status }) => response_status),
      ]);
      expect(new Map(told as [string, unknown][])).toEqual(
        new Map([
          [hearing.id, [200]],
          [failing.id, [500]],
        ]),
      );
    }
  });

  it("does not show an event that has reused a lost event's number after a database restore [U5]", async () => {
    const studio = await makeStudio();
    const request_id = idOf(await (await send(studio)).send());
    expect((await show(studio, request_id)).events).toHaveLength(1);
    await env.DB.batch([
      env.DB.prepare("INSERT INTO erasures (id) VALUES (?)").bind(studio.organizationId),
      env.DB.prepare(
        `UPDATE events SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '1 minute') WHERE organization_id = ?`,
      ).bind(studio.organizationId),
      env.DB.prepare("DELETE FROM erasures"),
    ]);
    expect((await show(studio, request_id)).events).toEqual([]);
  });

  it("shows no events for a replay or a read [U5]", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const sendIt = async () => idOf(await post(studio, `/api-v1/deliverables/${id}/send`, {}, "key"));
    const [sent, replay, read] = [await sendIt(), await sendIt(), idOf(await call(studio, "/api-v1/events"))];
    expect((await show(studio, sent)).events).toHaveLength(1);
    const beside = { events: [], previous_request_id: sent, next_request_id: read };
    expect(await show(studio, replay)).toMatchObject(beside);
    expect(await show(studio, read)).toMatchObject({ events: [], next_request_id: null });
  });

  it("does not find another workspace's requests [U5]", async () => {
    const workspace = await makeWorkspace();
    const request_id = idOf(await call(await makeWorkspace(), "/api-v1/clients"));
    expect((await refusal(workspace, "show-request", { request_id })).message).toBe(
      `There is no request ${request_id} in this workspace`,
    );
  });
});

describe("usage", () => {
  it("counts requests, refusals, deliveries and e-mails by day, and by token [U6]", async () => {
    const studio = await makeStudio();
    const endpoint = await register(studio);
    const id = await makeDeliverable(studio);
    await post(studio, `/api-v1/deliverables/${id}/send`, {});
    await settled(endpoint);
    const token = await insertToken(studio, ["time:read"]);
    await call({ token }, "/api-v1/clients");
    const of = async () => await admin<Usage>(studio, "usage", {});
    await expect.poll(async () => (await of()).days[0]?.deliveries).toBe(1);
    const { days, tokens, room } = await of();
    expect(days).toHaveLength(30);
    expect(days[0]).toEqual({
      day: new Date().toISOString().slice(0, 10),
      requests: 5,
      refusals: 1,
      deliveries: 1,
      mails: 1,
    });
    expect(days[1]).toMatchObject({ requests: 0, refusals: 0, deliveries: 0, mails: 0 });
    expect(tokens.map(({ requests, refusals }) => [requests, refusals])).toEqual([
      [4, 0],
      [1, 1],
    ]);
    expect(room).toMatchObject({
      plan: "agency",
      deliverables: { used: 1, limit: null },
      mails_today: { used: 1, limit: expect.any(Number) },
    });
  });

  it("covers 1 to 60 days [U6]", async () => {
    const workspace = await makeWorkspace();
    expect((await admin<Usage>(workspace, "usage", { days: "60" })).days).toHaveLength(60);
    for (const days of ["0", "61"])
      expect((await refusal(workspace, "usage", { days })).message).toMatch(/^days /);
  });
});
