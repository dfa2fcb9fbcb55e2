import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { watchRows } from "../../bench/coordinator-rows.ts";
import type { LoggedRequest } from "../../src/contract/request-log.ts";
import { requestLogLimits } from "../../src/contract/request-log-limits.ts";
import { advanceClock, startClock, stopClock } from "../support/clock.ts";
import { loggedRequest } from "../support/coordinator.ts";

type Coordinator = ReturnType<typeof newCoordinator>;
const newCoordinator = () => env.ORGANIZATION_COORDINATOR.getByName(crypto.randomUUID());

const daySeconds = 86_400;

const at = (ms: number, changes: Partial<LoggedRequest> = {}) =>
  loggedRequest({ at: new Date(Date.now() + ms).toISOString(), ...changes });

const idsIn = async (coordinator: Coordinator, filter: object = {}) =>
  (await coordinator.findRequests({ limit: 20_000, ...filter })).map(({ request_id }) => request_id);

const ids = (requests: readonly LoggedRequest[]) => requests.map(({ request_id }) => request_id);

beforeEach(() => stopClock());
afterEach(startClock);

describe("the request log", () => {
  it("is sorted newest first, in whatever order isolates report", async () => {
    const coordinator = newCoordinator();
    const [a, b, c, d, e] = [at(0), at(10), at(20), at(30, { token_id: "another" }), at(40)];
    await coordinator.logRequests([b, e]);
    await coordinator.logRequests([a, d]);
    await coordinator.logRequests([c]);
    await evictDurableObject(coordinator);
    expect(await idsIn(coordinator)).toEqual(ids([e, d, c, b, a]));
    const beside = { earlier: b.request_id, later: e.request_id };
    expect(await coordinator.findRequest(c.request_id)).toEqual({ ...c, ...beside });
    expect(await coordinator.findRequest(crypto.randomUUID())).toBeNull();
  });

  it("stores and counts a request once, even if it is reported twice", async () => {
    const coordinator = newCoordinator();
    const told = [at(0), at(1)];
    await coordinator.logRequests(told);
    await coordinator.logRequests(told);
    expect(await idsIn(coordinator)).toHaveLength(2);
    expect(await coordinator.usageSince("")).toMatchObject([{ requests: { token: { requests: 2 } } }]);
  });

  it("appends to a row until the row has 100 requests", async () => {
    const coordinator = newCoordinator();
    await coordinator.logRequests([at(0)]);
    const written = await runInDurableObject(coordinator, (_, state) => watchRows(state.storage.sql));
    for (let call = 1; call <= 100; call++) await coordinator.logRequests([at(call)]);
    const { written: rows } = await runInDurableObject(coordinator, () => written());
    // The last call starts a new row with an index entry, and the day's usage adds another row.
    expect(rows).toBe(100 + 3);
    expect(await idsIn(coordinator)).toHaveLength(101);
    expect(await coordinator.usageSince("")).toMatchObject([{ requests: { token: { requests: 101 } } }]);
  });

  it("continues after a cursor, even among requests with the same timestamp", async () => {
    const coordinator = newCoordinator();
    const told = Array.from({ length: 7 }, () => at(0));
    await coordinator.logRequests(told.slice(0, 3));
    await coordinator.logRequests(told.slice(3));
    const pages: string[] = [];
    for (let cursor: string | undefined; ; cursor = pages.at(-1)) {
      const page = await idsIn(coordinator, { cursor, limit: 2 });
      pages.push(...page);
      if (page.length < 2) break;
    }
    expect(pages).toEqual(ids(told).sort().reverse());
    expect(await idsIn(coordinator, { cursor: crypto.randomUUID() })).toEqual([]);
  });

  it.each([
    ["token", { token: "another" }, { token_id: "another" }],
    ["status", { status: "404" }, { status: 404 }],
    ["status class", { status: "4xx" }, { status: 429 }],
    ["route", { route: "/api-v1/invoices" }, { route: "/api-v1/invoices" }],
  ])("can be filtered by %s", async (_, filter, changes) => {
    const coordinator = newCoordinator();
    const wanted = at(1, changes);
    await coordinator.logRequests([at(0), wanted, at(2, { status: 500 })]);
    expect(await idsIn(coordinator, filter)).toEqual(ids([wanted]));
  });

  it("can be filtered by time, with since inclusive and until exclusive", async () => {
    const coordinator = newCoordinator();
    const told = [at(0), at(10), at(20)];
    await coordinator.logRequests(told);
    const [, since, until] = told.map((each) => each.at);
    expect(await idsIn(coordinator, { since, until })).toEqual(ids(told.slice(1, 2)));
  });

  it("hides requests older than 7 days and deletes them with the daily alarm", async () => {
    const coordinator = newCoordinator();
    await coordinator.logRequests([at(0)]);
    advanceClock(requestLogLimits.keptDays * daySeconds);
    expect(await idsIn(coordinator)).toHaveLength(1);
    advanceClock(0.001);
    expect(await idsIn(coordinator)).toEqual([]);
    await runDurableObjectAlarm(coordinator);
    expect(await coordinator.usageSince("")).toMatchObject([{ requests: { token: { requests: 1 } } }]);
    const left = await runInDurableObject(coordinator, async (_, state) => [
      state.storage.sql.exec("SELECT count(*) AS rows FROM logged_requests").one().rows,
      await state.storage.getAlarm(),
    ]);
    expect(left).toEqual([0, null]);
  });

  it("counts the 429s of a token, route and minute in one entry [U8]", async () => {
    const coordinator = newCoordinator();
    const limited = (ms: number, changes: Partial<LoggedRequest> = {}) => at(ms, { status: 429, ...changes });
    const first = limited(0);
    await coordinator.logRequests([first, limited(1)]);
    await coordinator.logRequests([limited(2, { count: 3 }), limited(3, { token_id: "another" })]);
    // Fills up the row that contains the entry.
    await coordinator.logRequests(Array.from({ length: 100 }, (_, index) => at(10 + index)));
    await coordinator.logRequests([at(200)]);
    await evictDurableObject(coordinator);
    const repeated = [limited(300, { count: 5 })];
    await coordinator.logRequests(repeated);
    await coordinator.logRequests(repeated);
    const others = [
      limited(400, { route: "/api-v1/invoices" }),
      limited(401, { method: "POST" }),
      limited(50_000),
    ];
    await coordinator.logRequests(others);
    const found = await coordinator.findRequests({ limit: 20_000, status: "429", token: "token" });
    expect(found.map(({ request_id, count }) => [request_id, count])).toEqual([
      ...ids(others.toReversed()).map((id) => [id, 1]),
      [first.request_id, 10],
    ]);
    expect(found.at(-1)).toEqual({ ...first, count: 10 });
    expect(await coordinator.findRequest(repeated[0]?.request_id ?? "")).toBeNull();
    expect(await coordinator.usageSince("")).toMatchObject([
      { requests: { token: { requests: 114, refusals: 13 }, another: { requests: 1, refusals: 1 } } },
    ]);
  });

  it("drops the oldest entries of the token that has the most [U9]", async () => {
    const coordinator = newCoordinator();
    const quiet = Array.from({ length: 60 }, (_, index) => at(index, { token_id: "quiet" }));
    await coordinator.logRequests(quiet);
    const busy = Array.from({ length: requestLogLimits.keptRequests }, (_, index) =>
      at(100 + index, { token_id: "busy" }),
    );
    for (let from = 0; from < busy.length; from += 100)
      await coordinator.logRequests(busy.slice(from, from + 100));
    await evictDurableObject(coordinator);
    await coordinator.logRequests([at(20_000, { token_id: "late" })]);
    expect(await idsIn(coordinator, { token: "quiet" })).toEqual(ids(quiet.toReversed()));
    expect(await idsIn(coordinator, { token: "late" })).toHaveLength(1);
    const kept = await idsIn(coordinator, { token: "busy" });
    expect(kept).toEqual(ids(busy.slice(-kept.length).reverse()));
    expect(kept.length).toBeGreaterThanOrEqual(requestLogLimits.keptRequests - 60 - 100);
    expect(await coordinator.usageSince("")).toMatchObject([
      { requests: { quiet: { requests: 60 }, busy: { requests: busy.length }, late: { requests: 1 } } },
    ]);
  });

  it("keeps the newer half of a token's entries if they are all in one row", async () => {
    const coordinator = newCoordinator();
    const tokens = Array.from({ length: 101 }, (_, index) => `token ${index}`);
    const told = tokens.map((token_id) => Array.from({ length: 99 }, (_, index) => at(index, { token_id })));
    for (const ofToken of told) await coordinator.logRequests(ofToken);
    expect(await idsIn(coordinator)).toHaveLength(101 * 99);
    await coordinator.logRequests([at(99, { token_id: "token 7" }), at(100)]);
    const mine = await idsIn(coordinator, { token: "token 7" });
    expect(mine.slice(1)).toEqual(ids(told[7]?.slice(-mine.length + 1).reverse() ?? []));
    expect(mine).toHaveLength(50);
    const [day] = await coordinator.usageSince("");
    expect([day?.requests["token 7"]?.requests, day?.requests["token 8"]?.requests]).toEqual([100, 99]);
  });

  it("begins a new row each day", async () => {
    const coordinator = newCoordinator();
    await coordinator.logRequests([at(0)]);
    advanceClock(daySeconds);
    await coordinator.logRequests([at(0)]);
    advanceClock((requestLogLimits.keptDays - 1) * daySeconds + 1);
    await runDurableObjectAlarm(coordinator);
    const left = await runInDurableObject(coordinator, (_, state) =>
      state.storage.sql.exec("SELECT requests FROM logged_requests").toArray(),
    );
    expect(left).toEqual([{ requests: 1 }]);
  });

  it("reads the previous release's rows, which mix several tokens", async () => {
    const coordinator = newCoordinator();
    const before = [at(0), at(1, { token_id: "another" })];
    await runInDurableObject(coordinator, (_, { storage: { sql } }) => {
      sql.exec("DROP TABLE logged_requests");
      sql.exec(`CREATE TABLE logged_requests (id INTEGER PRIMARY KEY, last_ms INTEGER NOT NULL,
        requests INTEGER NOT NULL, entries TEXT NOT NULL)`);
      sql.exec(
        "INSERT INTO logged_requests (last_ms, requests, entries) VALUES (?, 2, ?)",
        Date.now() + 1,
        before.map((request) => JSON.stringify(request)).join(),
      );
    });
    await evictDurableObject(coordinator);
    const after = at(2);
    await coordinator.logRequests([after]);
    expect(await idsIn(coordinator)).toEqual(ids([after, ...before.toReversed()]));
    expect(await idsIn(coordinator, { token: "another" })).toEqual(ids(before.slice(1)));
    expect(await coordinator.usageSince("")).toMatchObject([
      { requests: { token: { requests: 2 }, another: { requests: 1 } } },
    ]);
  });

  it("keeps the newest 10,000 requests", async () => {
    const coordinator = newCoordinator();
    const told = Array.from({ length: requestLogLimits.keptRequests + 400 }, (_, index) => at(index));
    for (let from = 0; from < told.length; from += requestLogLimits.perCall) {
      if (from === requestLogLimits.keptRequests) expect(await idsIn(coordinator)).toHaveLength(from);
      await coordinator.logRequests(told.slice(from, from + requestLogLimits.perCall));
    }
    await evictDurableObject(coordinator);
    await coordinator.logRequests([at(told.length)]);
    const kept = await idsIn(coordinator);
    expect(kept.length).toBeLessThanOrEqual(requestLogLimits.keptRequests);
    expect(kept.slice(1)).toEqual(ids(told.slice(-kept.length + 1)).reverse());
    expect(kept.length).toBeGreaterThan(requestLogLimits.keptRequests - requestLogLimits.perCall);
  });
});

describe("daily usage", () => {
  it("counts requests, refusals and deliveries by token", async () => {
    const coordinator = newCoordinator();
    await coordinator.logRequests([
      at(0),
      at(1, { status: 400 }),
      at(2, { token_id: "another", status: 500 }),
      at(3, { token_id: "another", status: 304 }),
    ]);
    await coordinator.countDeliveries(2);
    advanceClock(daySeconds);
    await coordinator.logRequests([at(0)]);
    await evictDurableObject(coordinator);
    expect(await coordinator.usageSince("2066-03-01")).toEqual([
      { day: "2066-03-02", requests: { token: { requests: 1, refusals: 0 } }, deliveries: 0 },
      {
        day: "2066-03-01",
        requests: { token: { requests: 2, refusals: 1 }, another: { requests: 2, refusals: 1 } },
        deliveries: 2,
      },
    ]);
    expect(await coordinator.usageSince("2066-03-02")).toHaveLength(1);
  });

  it("is kept for 60 days", async () => {
    const coordinator = newCoordinator();
    for (let day = 0; day < requestLogLimits.usageDays.max + 1; day++) {
      await coordinator.countDeliveries(1);
      advanceClock(daySeconds);
    }
    const days = await coordinator.usageSince("");
    expect([days.length, days.at(-1)?.day]).toEqual([requestLogLimits.usageDays.max, "2066-03-02"]);
  });
});

it("an erased coordinator keeps no requests and no usage", async () => {
  const coordinator = newCoordinator();
  await coordinator.logRequests([at(0)]);
  await coordinator.erase();
  await coordinator.logRequests([at(0)]);
  await coordinator.countDeliveries(1);
  expect([await idsIn(coordinator), await coordinator.usageSince("")]).toEqual([[], []]);
});
