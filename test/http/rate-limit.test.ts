import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { advanceClock, startClock, stopClock } from "../support/clock.ts";
import { call, post } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { ask, namedRoutes, successOf, validRequest } from "../support/requests.ts";
import { rowCounts } from "../support/rows.ts";
import { insertToken, makePlan, makeWorkspace, type Workspace } from "../support/workspace.ts";

beforeEach(() => stopClock());
afterEach(startClock);

const limited = async (ceiling: number): Promise<Workspace> =>
  makeWorkspace({ plan: await makePlan(ceiling) });

const statuses = async (answers: Response[]) => answers.map(({ status }) => status);
const coordinatorOf = ({ organizationId }: Workspace) =>
  env.ORGANIZATION_COORDINATOR.getByName(organizationId);

describe.each(namedRoutes)("$name", ({ route }) => {
  it("returns 429 with Retry-After over the limit, and has no effect [R2, E5]", async () => {
    const workspace = await limited(1);
    const records = await makeRecords(workspace);
    expect((await call(workspace, "/api-v1/clients")).status).toBe(200);
    const before = await rowCounts(workspace);
    const key = "kept for later";
    const answer = await ask(route, workspace, route.kind === "write" ? { key } : {}, records);
    expect([answer.status, await answer.json()]).toEqual([
      429,
      { error: expect.any(String), code: "rate_limit_exceeded", retry_after_seconds: 50 },
    ]);
    expect(answer.headers.get("retry-after")).toBe("50");
    expect(await rowCounts(workspace)).toEqual(before);

    advanceClock(50);
    const later = await ask(route, workspace, route.kind === "write" ? { key } : {}, records);
    expect(later.status).toBe(successOf(route));
  });

  it("counts every request once, even if a later check rejects it [R2]", async () => {
    const workspace = await limited(5);
    const records = await makeRecords(workspace);
    const scopeless = await insertToken(workspace, []);
    const { path } = validRequest(route, records);
    const unknown = {
      method: route.method.toUpperCase(),
      key: "k",
      ...(route.kind === "write" ? { body: "{" } : {}),
    };
    const answers = [
      await ask(route, workspace, {}, records),
      await ask(route, workspace, { token: scopeless }, records),
      await call(workspace, route.kind === "write" ? path : `${path}?limit=0`, unknown),
      await ask(route, workspace, { token: scopeless }, records),
      await ask(route, workspace, { token: scopeless }, records),
      await ask(route, workspace, {}, records),
    ];
    expect((await statuses(answers)).map((status) => status === 429)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it("does not count a request with a wrong method, apikey or token, or without API access", async () => {
    const workspace = await limited(1);
    const records = await makeRecords(workspace);
    const { path } = validRequest(route, records);
    const setPlan = (plan: string) =>
      env.DB.prepare("UPDATE organizations SET plan = ? WHERE id = ?")
        .bind(plan, workspace.organizationId)
        .run();
    const plan = await makePlan(1);
    await setPlan("free");
    const refused = [await ask(route, workspace, {}, records)];
    await setPlan(plan);
    refused.push(
      await ask(route, workspace, { headers: { apikey: "wrong" } }, records),
      await ask(route, workspace, { token: `svc_${"0".repeat(36)}` }, records),
      await call(workspace, path, { method: "DELETE" }),
      await call(workspace, path, { method: "OPTIONS" }),
      await call(workspace, path, { base: "http://api.example.com", method: route.method.toUpperCase() }),
    );
    expect(await statuses(refused)).toEqual([403, 401, 401, 405, 204, 403]);
    expect((await ask(route, workspace, {}, records)).status).toBe(successOf(route));
    expect((await ask(route, workspace, {}, records)).status).toBe(429);
  });
});

it("every counted response has the plan's limit, without RateLimit-Remaining [R4, A15]", async () => {
  for (const [plan, ceiling] of [
    ["solo", "60"],
    ["studio", "120"],
    ["agency", "300"],
  ] as const) {
    const { headers } = await call(await makeWorkspace({ plan }), "/api-v1/clients");
    expect(headers.get("ratelimit-limit")).toBe(ceiling);
    expect(headers.get("ratelimit-policy")).toBe(`${ceiling};w=60`);
    expect(headers.get("ratelimit-reset")).toBe("50");
    expect(headers.has("ratelimit-remaining")).toBe(false);
  }
});

it("each rate limit window starts with the minute, not with the first request [R3]", async () => {
  const workspace = await limited(2);
  const list = () => call(workspace, "/api-v1/clients");
  expect(await statuses([await list(), await list(), await list()])).toEqual([200, 200, 429]);
  // The isolate remembers that the window is full until the time returned by the coordinator.
  expect((await list()).headers.get("retry-after")).toBe("50");
  advanceClock(49);
  const last = await list();
  expect([last.status, last.headers.get("retry-after"), last.headers.get("ratelimit-reset")]).toEqual([
    429,
    "1",
    "1",
  ]);
  advanceClock(1);
  expect(await statuses([await list(), await list(), await list()])).toEqual([200, 200, 429]);
});

it("an organization's tokens share one window, which is separate from other organizations [R3]", async () => {
  const workspace = await limited(2);
  const token = await insertToken(workspace);
  const other = await limited(2);
  const answers = [
    await call(workspace, "/api-v1/clients"),
    await call(workspace, "/api-v1/clients", { token }),
    await call(workspace, "/api-v1/clients", { token }),
    await call(other, "/api-v1/clients"),
  ];
  expect(await statuses(answers)).toEqual([200, 200, 429, 200]);
});

it("simultaneous requests are admitted exactly up to the limit", async () => {
  const workspace = await limited(20);
  const answers = await Promise.all(Array.from({ length: 50 }, () => call(workspace, "/api-v1/clients")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
});

it("the count survives an eviction of the coordinator", async () => {
  const workspace = await limited(3);
  for (let turn = 0; turn < 3; turn++) expect((await call(workspace, "/api-v1/clients")).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await evictDurableObject(coordinatorOf(workspace));
  expect((await call(workspace, "/api-v1/clients")).status).toBe(429);
});

it("a change of plan applies to the next request", async () => {
  const workspace = await limited(1);
  expect(
    await statuses([await call(workspace, "/api-v1/clients"), await call(workspace, "/api-v1/clients")]),
  ).toEqual([200, 429]);
  await env.DB.prepare("UPDATE organizations SET plan = 'studio' WHERE id = ?")
    .bind(workspace.organizationId)
    .run();
  const { status, headers } = await call(workspace, "/api-v1/clients");
  expect([status, headers.get("ratelimit-limit")]).toEqual([200, "120"]);
});

it("a replay counts like any other request", async () => {
  const workspace = await limited(2);
  const client = { client_name: "Ada" };
  const answers = [
    await post(workspace, "/api-v1/clients", client, "key"),
    await post(workspace, "/api-v1/clients", client, "key"),
    await post(workspace, "/api-v1/clients", client, "key"),
  ];
  expect(await statuses(answers)).toEqual([201, 200, 429]);
});
