import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { newSecret } from "../../src/platform/secret.ts";
import worker from "../../src/worker.ts";
import { admin } from "../support/admin.ts";
import { advanceClock, startClock, stopClock } from "../support/clock.ts";
import { metered } from "../support/metered.ts";
import { baseUrl, call, post } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { keyedRoutes, namedRoutes, validRequest } from "../support/requests.ts";
import { mailedKey, makeReview } from "../support/reviewer.ts";
import { seed } from "../support/seed.ts";
import { newSession, ownerAtHome, sessionCookie } from "../support/settings.ts";
import { insertToken, makePlan, makeWorkspace, type Workspace } from "../support/workspace.ts";

// An isolate's first request also reads the list of migrations.
beforeAll(async () => {
  await call(await makeWorkspace(), "/api-v1/token");
});
beforeEach(() => stopClock());
afterEach(startClock);

async function rowsRead(work: () => Promise<Response>): Promise<{ status: number; rows: number }> {
  const { answer, read } = await metered(work);
  return { status: answer.status, rows: read };
}

const revoke = ({ organizationId }: Workspace) =>
  env.DB.prepare("UPDATE api_tokens SET revoked_at = '2026-01-31T09:30:00.000Z' WHERE organization_id = ?")
    .bind(organizationId)
    .run();

describe.each(namedRoutes)("$name", ({ route }) => {
  const ask = async (workspace: Workspace, records: Awaited<ReturnType<typeof makeRecords>>) => {
    const { path, body } = validRequest(route, records);
    return rowsRead(() => call(workspace, path, body ? { body, key: "key" } : {}));
  };

  async function prepare(plan = "agency") {
    const workspace = await makeWorkspace({ plan });
    const records = await makeRecords(workspace);
    await seed("invoices", workspace, records, 1, 60);
    await seed("clients", workspace, records, 1, 60);
    return { workspace, records };
  }

  it("reads at most 8 rows for a token that is revoked, lacks the scope or has no API access", async () => {
    const { workspace, records } = await prepare();
    const other = route.scope === "client:read" ? "time:read" : "client:read";
    const scoped = { ...workspace, token: await insertToken(workspace, [other]) };
    const lacking = await ask(scoped, records);
    await env.DB.prepare("UPDATE organizations SET plan = 'free' WHERE id = ?")
      .bind(workspace.organizationId)
      .run();
    const unpaid = await ask(workspace, records);
    await revoke(workspace);
    const revoked = await ask(workspace, records);
    // A route without a scope accepts any token.
    expect([lacking.status, unpaid.status, revoked.status]).toEqual([route.scope ? 403 : 200, 403, 401]);
    for (const { rows } of [...(route.scope ? [lacking] : []), unpaid, revoked]) {
      expect(rows).toBeLessThanOrEqual(8);
    }
  });

  it("reads at most 8 rows once the rate limit window is full", async () => {
    const { workspace, records } = await prepare(await makePlan(1));
    await call(workspace, "/api-v1/clients");
    expect((await call(workspace, "/api-v1/clients")).status).toBe(429);
    const limited = await ask(workspace, records);
    expect(limited.status).toBe(429);
    expect(limited.rows).toBeLessThanOrEqual(8);
  });
});

it("calls in a full window are rejected without a call to the coordinator", async () => {
  const workspace = await makeWorkspace({ plan: await makePlan(1) });
  const asked = vi.spyOn(env.ORGANIZATION_COORDINATOR, "getByName");
  const ask = async () => {
    const before = asked.mock.calls.length;
    const { status, headers } = await call(workspace, "/api-v1/clients");
    return [status, headers.get("retry-after"), asked.mock.calls.length - before];
  };
  expect(await ask()).toEqual([200, null, 1]);
  expect(await ask()).toEqual([429, "50", 1]);
  expect(await ask()).toEqual([429, "50", 0]);
  advanceClock(20);
  expect(await ask()).toEqual([429, "30", 0]);
  advanceClock(29);
  expect(await ask()).toEqual([429, "1", 1]);
  advanceClock(1);
  expect(await ask()).toEqual([200, null, 1]);
});

describe("at most 9 of 100 simultaneous calls read data when one request is left in the window [N12]", () => {
  const list = (workspace: Workspace) => call(workspace, "/api-v1/clients");
  const create = (workspace: Workspace) =>
    post(workspace, "/api-v1/projects", { client_id: crypto.randomUUID(), name: "Rebrand" });

  it.each([
    { asked: "reads", token: "known", ask: list, done: 200 },
    { asked: "reads", token: "new", ask: list, done: 200 },
    { asked: "writes", token: "known", ask: create, done: 400 },
    { asked: "writes", token: "new", ask: create, done: 400 },
  ])("$asked with a token that is $token in this isolate", async ({ token, ask, done }) => {
    const ceiling = 3;
    const workspace = await makeWorkspace({ plan: await makePlan(ceiling) });
    const second = { ...workspace, token: await insertToken(workspace) };
    for (let turn = 1; turn < ceiling; turn++) await list(token === "known" ? second : workspace);
    const batches = vi.spyOn(env.DB, "batch");
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(second)));
    const statuses = answers.map(({ status }) => status);
    expect([statuses.filter((status) => status === done).length, new Set(statuses)]).toEqual([
      1,
      new Set([done, 429]),
    ]);
    const withData = batches.mock.calls.filter(([statements]) => statements.length > 1);
    expect(withData.length).toBeLessThanOrEqual(8 + 1);
  });
});

it("a write that is counted lets the next request read data before it is counted", async () => {
  const workspace = await makeWorkspace();
  await call(workspace, "/api-v1/clients");
  const mayWrite = Promise.withResolvers<void>();
  const batch = env.DB.batch.bind(env.DB);
  const asked: number[] = [];
  vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
    asked.push(statements.length);
    if (asked.length > limits.uncountedReads && asked.length <= 2 * limits.uncountedReads)
      await mayWrite.promise;
    return batch(statements) as never;
  });
  const writes = Array.from({ length: limits.uncountedReads }, () =>
    post(workspace, "/api-v1/clients", { client_name: "Ada" }),
  );
  await vi.waitUntil(() => asked.length === 2 * limits.uncountedReads);
  expect((await call(workspace, "/api-v1/clients")).status).toBe(200);
  // One batch has both the token and the data.
  expect(asked.slice(2 * limits.uncountedReads)).toEqual([2]);
  mayWrite.resolve();
  expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(writes.map(() => 201));
});

it("a token that is known to lack the scope causes no read of data", async () => {
  const workspace = await makeWorkspace();
  const lacking = { ...workspace, token: await insertToken(workspace, ["time:read"]) };
  const batches = vi.spyOn(env.DB, "batch");
  expect((await call(lacking, "/api-v1/clients")).status).toBe(403);
  expect((await call(lacking, "/api-v1/clients")).status).toBe(403);
  expect((await call(lacking, "/api-v1/time-entries")).status).toBe(200);
  expect(batches.mock.calls.map(([statements]) => statements.length)).toEqual([2, 1, 2]);
});

it("an organization is served after an upgrade, even if this isolate remembers a full window", async () => {
  const workspace = await makeWorkspace({ plan: await makePlan(1) });
  await call(workspace, "/api-v1/clients");
  expect((await call(workspace, "/api-v1/clients")).status).toBe(429);
  await env.DB.prepare("UPDATE organizations SET plan = 'agency' WHERE id = ?")
    .bind(workspace.organizationId)
    .run();
  expect((await call(workspace, "/api-v1/clients")).status).toBe(200);
  const created = await call(workspace, "/api-v1/clients", { body: { client_name: "Ada" }, key: "one" });
  expect(created.status).toBe(201);
});

describe.each(keyedRoutes)("$name", ({ route }) => {
  const send = async (workspace: Workspace, token: string) => {
    const { path, body } = validRequest(route, await makeRecords(workspace));
    const request = new Request(`${baseUrl}${path}`, {
      method: "POST",
      headers: {
        apikey: env.GATEWAY_PUBLIC_KEY,
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "idempotency-key": "key",
      },
      body: JSON.stringify(body),
    });
    const execution = createExecutionContext();
    const { status } = await worker.fetch(request as never, env, execution);
    await waitOnExecutionContext(execution);
    return { status, wasRead: request.bodyUsed };
  };

  it("does not read the body for an unknown token or in a full window", async () => {
    const workspace = await makeWorkspace({ plan: await makePlan(1) });
    expect(await send(workspace, `svc_${"0".repeat(36)}`)).toEqual({ status: 401, wasRead: false });
    await call(workspace, "/api-v1/clients");
    expect((await call(workspace, "/api-v1/clients")).status).toBe(429);
    expect(await send(workspace, workspace.token)).toEqual({ status: 429, wasRead: false });
  });
});

it("a large body gets a 429 while its organization's large bodies fill 16 MB [N14]", async () => {
  const workspace = await makeWorkspace();
  const opened = Promise.withResolvers<void>();
  const post = () => {
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        await opened.promise;
        controller.enqueue(new TextEncoder().encode("{}"));
        controller.close();
      },
    });
    return exports.default.fetch(`${baseUrl}/api-v1/clients`, {
      method: "POST",
      headers: {
        apikey: env.GATEWAY_PUBLIC_KEY,
        authorization: `Bearer ${workspace.token}`,
        "content-type": "application/json",
        "idempotency-key": crypto.randomUUID(),
      },
      body,
    });
  };
  const posts = Array.from({ length: 9 }, post);
  const refused = await Promise.race(posts);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  opened.resolve();
  const statuses = (await Promise.all(posts)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(5).fill(400), ...Array(4).fill(429)]);
  expect((await post()).status).toBe(400);
});

/**
 * Repeats a request until it gets a 429. The counter resets if a new minute begins meanwhile, so this may take more
 * than 300 requests.
 */
async function statusesUntilBlocked(ask: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length <= 2 * 300 && !statuses.includes(429))
    statuses.push(
      ...(await Promise.all(Array.from({ length: 10 }, () => ask()))).map(({ status }) => status),
    );
  return statuses;
}

it("a sender is blocked after 300 unknown tokens in a minute, except for known tokens [N5]", async () => {
  const workspace = await makeWorkspace();
  const headers = { "cf-connecting-ip": crypto.randomUUID() };
  await call(workspace, "/api-v1/clients", { headers });
  const guess = (token = `svc_${crypto.randomUUID().replaceAll("-", "").padEnd(36, "0")}`) => {
    const authorization = `Bearer ${token}`;
    return exports.default.fetch(`${baseUrl}/api-v1/clients`, {
      headers: { ...headers, apikey: env.GATEWAY_PUBLIC_KEY, authorization },
    });
  };
  const statuses = await statusesUntilBlocked(guess);
  expect([...new Set(statuses)].sort()).toEqual([401, 429]);
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(300);
  const batch = vi.spyOn(env.DB, "batch");
  const blocked = await guess("none");
  expect([blocked.status, blocked.headers.get("retry-after")]).toEqual([429, "60"]);
  expect(batch).not.toHaveBeenCalled();
  expect((await call(workspace, "/api-v1/clients", { headers })).status).toBe(200);
});

it("an address is blocked after 300 calls with a token that may not be used from there [A23, N5]", async () => {
  const workspace = await makeWorkspace();
  const allowed_ips = "203.0.113.7";
  const { token } = await admin<{ token: string }>(workspace, "create-api-token", {
    name: "Fixed",
    allowed_ips,
  });
  const from = (address: string) =>
    exports.default.fetch(`${baseUrl}/api-v1/token`, {
      headers: {
        "cf-connecting-ip": address,
        apikey: env.GATEWAY_PUBLIC_KEY,
        authorization: `Bearer ${token}`,
      },
    });
  expect((await from(allowed_ips)).status).toBe(200);
  const address = crypto.randomUUID();
  const statuses = await statusesUntilBlocked(() => from(address));
  expect([...new Set(statuses)].sort()).toEqual([403, 429]);
  expect((await from(allowed_ips)).status).toBe(200);
});

describe("a blocked sender", () => {
  const block = async (address: string) => {
    const headers = { "cf-connecting-ip": address };
    await statusesUntilBlocked(() => exports.default.fetch(`${baseUrl}/sign-in/none`, { headers }));
  };
  const send = (path: string, address: string, headers: Record<string, string>, method = "GET") =>
    exports.default.fetch(`${baseUrl}${path}`, {
      method,
      redirect: "manual",
      headers: { "cf-connecting-ip": address, "content-type": "application/json", ...headers },
      ...(method === "POST" && { body: "{}" }),
    });
  const withToken = (token: string) => ({
    apikey: env.GATEWAY_PUBLIC_KEY,
    authorization: `Bearer ${token}`,
  });
  const guess = () => `svc_${crypto.randomUUID().replaceAll("-", "").padEnd(36, "0")}`;

  it("is accepted with a valid token, session or e-mailed key on the first request to an isolate [N5]", async () => {
    const address = "203.0.113.51";
    const [api, sessions, review] = await Promise.all([makeWorkspace(), ownerAtHome(), makeReview()]);
    await block(address);
    const cookie = async () => ({ cookie: `${sessionCookie}=${await newSession(sessions.here.ownerEmail)}` });
    expect((await send("/verify", address, {})).status).toBe(429);
    expect((await send("/api-v1/clients", address, withToken(api.token))).status).toBe(200);
    expect((await send("/rpc/list_members", address, await cookie(), "POST")).status).toBe(200);
    const key = await mailedKey(review.id);
    expect((await send(review.visitor.path, address, { cookie: `review_key=${key}` })).status).toBe(200);
    const personal = `${review.visitor.path}/${await mailedKey(review.id)}`;
    expect((await send(personal, address, {})).status).toBe(303);
    advanceClock(1);
    for (const path of ["/sign-in", "/verify", `${sessions.base}/plan`])
      expect([path, (await send(path, address, await cookie())).status]).toEqual([path, 200]);
  });

  it("causes at most 5 lookups of unknown secrets per second, one for each secret [N5]", async () => {
    const address = "203.0.113.52";
    const { token } = await makeWorkspace();
    await block(address);
    const api = async (asked: string) => {
      const { status, headers } = await send("/api-v1/clients", address, withToken(asked));
      return `${status} ${headers.get("retry-after")}`;
    };
    const crowd = () => Promise.all(Array.from({ length: 20 }, () => api(guess())));
    const first = await crowd();
    expect(first.filter((answer) => answer === "401 null")).toHaveLength(5);
    expect(first.filter((answer) => answer === "429 1")).toHaveLength(15);
    expect(await api(token)).toBe("429 1");
    advanceClock(1);
    expect((await crowd()).filter((answer) => answer === "401 null")).toHaveLength(3);
    expect(await api(token)).toBe("200 null");
    const bad = guess();
    advanceClock(20);
    expect(await api(bad)).toBe("401 null");
    advanceClock(1);
    expect(await api(bad)).toMatch(/^429 [2-6]\d$/);
  });

  it("causes at most 5 lookups per second in total for tokens, sessions and links [N5]", async () => {
    const address = "203.0.113.53";
    await block(address);
    const batch = vi.spyOn(env.DB, "batch");
    const session = () => ({ cookie: `${sessionCookie}=${newSecret()}` });
    const statuses = [];
    for (let turn = 0; turn < 3; turn += 1) {
      statuses.push((await send("/rpc/list_members", address, session(), "POST")).status);
      statuses.push((await send("/verify", address, session())).status);
      statuses.push((await send(`/sign-in/${newSecret()}`, address, {})).status);
    }
    expect(statuses.filter((status) => status !== 429)).toEqual([401, 401]);
    expect(batch).toHaveBeenCalledTimes(5);
  });
});

it("all addresses of an IPv6 /64 are treated as one sender", async () => {
  const guess = (network: string) => {
    const address = `${network}:${crypto.randomUUID().replaceAll("-", "").slice(0, 16).match(/.{4}/g)?.join(":")}`;
    return exports.default.fetch(`${baseUrl}/api-v1/clients`, { headers: { "cf-connecting-ip": address } });
  };
  const statuses = await statusesUntilBlocked(() => guess("2001:db8:0:7"));
  expect([...new Set(statuses)].sort()).toEqual([401, 429]);
  expect((await guess("2001:db8:0:8")).status).toBe(401);
});

it("a revoked token is limited like an unknown one, even in an isolate that served it before", async () => {
  const [workspace, address] = [await makeWorkspace(), crypto.randomUUID()];
  const ask = () =>
    exports.default.fetch(`${baseUrl}/api-v1/clients`, {
      headers: {
        "cf-connecting-ip": address,
        apikey: env.GATEWAY_PUBLIC_KEY,
        authorization: `Bearer ${workspace.token}`,
      },
    });
  expect((await ask()).status).toBe(200);
  await revoke(workspace);
  const statuses = await statusesUntilBlocked(ask);
  expect([...new Set(statuses)].sort()).toEqual([401, 429]);
  const batch = vi.spyOn(env.DB, "batch");
  const blocked = await ask();
  expect([blocked.status, blocked.headers.get("retry-after")]).toEqual([429, "60"]);
  expect(batch).not.toHaveBeenCalled();
});

describe("pages", () => {
  const open = (path: string, { address = crypto.randomUUID(), cookie = "", method = "GET" } = {}) =>
    exports.default.fetch(`${baseUrl}${path}`, {
      method,
      redirect: "manual",
      headers: { "cf-connecting-ip": address, cookie, "content-type": "application/json" },
    });
  const link = () => newSecret().slice(0, 32);

  it("make no database round trip for a malformed link, key or cookie", async () => {
    const batch = vi.spyOn(env.DB, "batch");
    const statuses = [];
    for (const [path, options] of [
      ["/review/short"],
      [`/review/${newSecret()}`],
      ["/review/short/certificate"],
      ["/review/short/feedback", { method: "POST" }],
      [`/review/${link()}/versions/first/image`],
      [`/review/${link()}/old-key`],
      ["/sign-in/short"],
      [`/sign-in/${newSecret()}0`, { method: "POST" }],
      ["/settings/studio/tokens", { cookie: "__Host-session=short" }],
      ["/settings/studio/tokens", { cookie: "__Host-session=short", method: "POST" }],
      ["/sign-out", { cookie: "__Host-session=short", method: "POST" }],
      ["/rpc/list_members", { cookie: "__Host-session=short", method: "POST" }],
    ] as [string, { cookie?: string; method?: string }?][])
      statuses.push((await open(path, options)).status);
    expect(statuses).toEqual([404, 404, 404, 404, 404, 303, 404, 404, 303, 401, 303, 401]);
    expect(batch).not.toHaveBeenCalled();
  });

  it("make one read and no write for an unknown session", async () => {
    const session = () => ({ cookie: `__Host-session=${newSecret()}` });
    const { read, written } = await metered(() => open("/settings/studio/tokens", session()));
    expect(read).toBeLessThanOrEqual(1);
    expect(written).toBe(0);
    const batch = vi.spyOn(env.DB, "batch");
    await open("/settings/studio/tokens", session());
    const statements = batch.mock.calls.flat(2) as unknown[];
    expect(statements).toHaveLength(1);
  });

  it.each([
    ["review links", () => open(`/review/${link()}`, { address: "203.0.113.31" }), 404],
    ["sign-in links", () => open(`/sign-in/${newSecret()}`, { address: "203.0.113.32" }), 404],
    [
      "sessions",
      () =>
        open("/settings/a/plan", {
          address: "203.0.113.33",
          cookie: `__Host-session=${newSecret()}`,
        }),
      303,
    ],
    [
      "sessions to sign out",
      () =>
        open("/sign-out", {
          address: "203.0.113.39",
          cookie: `__Host-session=${newSecret()}`,
          method: "POST",
        }),
      303,
    ],
  ])("block a sender after 300 unknown %s in a minute", async (_, guess, status) => {
    const statuses = await statusesUntilBlocked(guess);
    expect([...new Set(statuses)].sort()).toEqual([status, 429]);
    expect(statuses.filter((each) => each === status).length).toBeGreaterThanOrEqual(300);
    for (let turn = 0; turn < 5; turn += 1) await guess();
    const batch = vi.spyOn(env.DB, "batch");
    const blocked = await guess();
    const [seconds, text] =
      blocked.headers.get("retry-after") === "1" ? ["1", "few seconds"] : ["60", "Wait a minute"];
    expect([blocked.status, blocked.headers.get("retry-after")]).toEqual([429, seconds]);
    expect(await blocked.text()).toContain(text);
    expect(batch).not.toHaveBeenCalled();
  });

  it("accept a blocked sender's session or review key if the isolate has accepted it before", async () => {
    const { visitor } = await makeReview();
    const { here, browser, base } = await ownerAtHome();
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const address = "203.0.113.34";
    const ask = async (path: string) => (await open(path, { address, cookie })).status;
    expect([await ask(visitor.path), await ask(`${base}/plan`)]).toEqual([200, 200]);
    await statusesUntilBlocked(() => open("/sign-in/none", { address }));
    expect([await ask(visitor.path), await ask(`${base}/plan`), await ask("/sign-in")]).toEqual([
      200, 200, 200,
    ]);
    await env.DB.prepare("DELETE FROM sessions WHERE email = ?").bind(here.ownerEmail).run();
    expect([await ask(`${base}/plan`), await ask(`${base}/plan`)]).toEqual([303, 429]);
  });
});
