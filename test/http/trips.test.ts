import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import {
  afterAll,
  afterEach,
  beforeEach,
  describe,
  expect,
  it,
  type MockInstance,
  onTestFinished,
  vi,
} from "vitest";
import { scopeCatalogue } from "../../src/contract/scopes.ts";
import type { Route } from "../../src/http/route.ts";
import { rememberToken } from "../../src/http/senders.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import worker, { OrganizationCoordinator } from "../../src/worker.ts";
import { startClock, stopClock } from "../support/clock.ts";
import { baseUrl } from "../support/partner.ts";
import { makeRecords, type Records } from "../support/records.ts";
import { keyedRoutes, namedRoutes, successOf, validRequest } from "../support/requests.ts";
import { makePlan, makeWorkspace, type Workspace } from "../support/workspace.ts";

/** The calls that a request makes to the Worker's bindings. Unlike times, these are the same on every machine. */
interface Trips {
  d1: number;
  coordinator: number;
  mail: number;
  r2: number;
}

const counted = <T extends object>(target: T, names: readonly string[], count: () => void): T =>
  new Proxy(target, {
    get(from, name) {
      const method = Reflect.get(from, name);
      if (typeof method !== "function") return method;
      // The method is called by name, because an RPC stub's methods have no apply().
      return (...args: unknown[]) => {
        if (names.includes(String(name))) count();
        return (from as Record<string, (...args: unknown[]) => unknown>)[String(name)]?.(...args);
      };
    },
  });

const coordinatorMethods = Object.getOwnPropertyNames(OrganizationCoordinator.prototype);

function counting(trips: Trips): Env {
  const coordinators = new Proxy(env.ORGANIZATION_COORDINATOR, {
    get: (from, name) =>
      name === "getByName"
        ? (id: string) => counted(from.getByName(id), coordinatorMethods, () => trips.coordinator++)
        : Reflect.get(from, name),
  });
  return {
    ...env,
    DB: counted(env.DB, ["batch", "exec"], () => trips.d1++),
    ORGANIZATION_COORDINATOR: coordinators,
    EMAIL: counted(env.EMAIL, ["send"], () => trips.mail++),
    IMAGES: counted(env.IMAGES, ["put", "get", "head", "delete", "list"], () => trips.r2++),
  };
}

/**
 * The work after the responses, which buffers log entries for a second, so the tests await it only once, at the end.
 */
const after: Promise<unknown>[] = [];

async function tripsOf(
  route: Route,
  workspace: Workspace,
  records: Records,
  key = "key",
  isKnown = isMinted(workspace),
): Promise<{ status: number; trips: Trips }> {
  if (isKnown)
    rememberToken(sha256Hex(workspace.token), { ...workspace, scopes: Object.keys(scopeCatalogue) });
  const { path, body } = validRequest(route, records);
  const trips: Trips = { d1: 0, coordinator: 0, mail: 0, r2: 0 };
  const execution = createExecutionContext();
  const headers = new Headers({
    apikey: env.GATEWAY_PUBLIC_KEY,
    authorization: `Bearer ${workspace.token}`,
    ...(body ? { "content-type": "application/json", "idempotency-key": key } : {}),
    ...(body ? { "content-length": String(JSON.stringify(body).length) } : {}),
  });
  for (const spy of alone) spy.mockClear();
  const request = new Request(`${baseUrl}${path}`, {
    method: route.method.toUpperCase(),
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = await worker.fetch(request as never, counting(trips), execution);
  const before = { ...trips, d1: trips.d1 + alone.reduce((sum, spy) => sum + spy.mock.calls.length, 0) };
  await answer.text();
  after.push(waitOnExecutionContext(execution));
  return { status: answer.status, trips: before };
}

/** Whether the token exists. Unknown tokens in these tests end in zeros. */
const isMinted = ({ token }: Workspace) =>
  /^svc_[a-f0-9]{36}$/.test(token) && !token.endsWith("0".repeat(36));

/** Spies on statements outside a batch, which are not counted and which requests must not run. */
let alone: MockInstance[] = [];

beforeEach(() => {
  stopClock();
  const statement = Object.getPrototypeOf(env.DB.prepare("SELECT 1"));
  alone = (["run", "all", "first", "raw"] as const).map((method) => vi.spyOn(statement, method));
});
afterEach(startClock);
afterAll(() => Promise.all(after));

describe.each(namedRoutes)("$name", ({ route }) => {
  const most = maxTrips(route);

  it(`takes ${JSON.stringify(most)}, and at most one read and one coordinator call over the rate limit`, async () => {
    const workspace = await makeWorkspace({ plan: await makePlan(1) });
    const records = await makeRecords(workspace);
    const first = await tripsOf(route, workspace, records, "first");
    expect([first.status, first.trips]).toEqual([successOf(route), most]);
    const second = await tripsOf(route, workspace, records, "second");
    expect([second.status, second.trips]).toEqual([429, { d1: 1, coordinator: 1, mail: 0, r2: 0 }]);
    // The isolate now remembers that the window is full.
    const third = await tripsOf(route, workspace, records, "third");
    expect([third.status, third.trips]).toEqual([429, { d1: 1, coordinator: 0, mail: 0, r2: 0 }]);
  });

  it("calls the coordinator only for a valid token, and does not look up a malformed one [A3]", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const unknown = { ...workspace, token: `svc_${"0".repeat(36)}` };
    expect((await tripsOf(route, unknown, records)).trips).toEqual({ d1: 1, coordinator: 0, mail: 0, r2: 0 });
    for (const token of ["svc_", `${workspace.token}0`]) {
      const { trips } = await tripsOf(route, { ...workspace, token }, records);
      expect(trips).toEqual({ d1: 0, coordinator: 0, mail: 0, r2: 0 });
    }
  });
});

describe.each(keyedRoutes)("$name", ({ route }) => {
  it("completes the work after the caller disconnects", async () => {
    const workspace = await makeWorkspace();
    const { path, body } = validRequest(route, await makeRecords(workspace));
    const kept: Promise<unknown>[] = [];
    const execution = { waitUntil: (work: Promise<unknown>) => kept.push(work) };
    const [written, mayWrite] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const batch = env.DB.batch.bind(env.DB);
    let trips = 0;
    const spy = vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
      trips += 1;
      if (trips > 1) written.resolve();
      if (trips > 1) await mayWrite.promise;
      return batch(statements) as never;
    });
    onTestFinished(() => {
      mayWrite.resolve();
      spy.mockRestore();
    });
    rememberToken(sha256Hex(workspace.token), { ...workspace, scopes: Object.keys(scopeCatalogue) });
    const answer = worker.fetch(
      new Request(`${baseUrl}${path}`, {
        method: "POST",
        headers: {
          apikey: env.GATEWAY_PUBLIC_KEY,
          authorization: `Bearer ${workspace.token}`,
          "content-type": "application/json",
          "content-length": String(JSON.stringify(body).length),
          "idempotency-key": "key",
        },
        body: JSON.stringify(body),
      }) as never,
      env,
      execution as never,
    );
    await written.promise;
    const ended = Promise.race([Promise.all(kept).then(() => "ended"), scheduler.wait(50)]);
    expect([kept.length > 0, await ended]).toEqual([true, undefined]);
    mayWrite.resolve();
    expect((await answer).status).toBe(successOf(route));
    after.push(Promise.all(kept));
  });

  it("a token that is new to the isolate costs one more read", async () => {
    const workspace = await makeWorkspace();
    const { trips } = await tripsOf(route, workspace, await makeRecords(workspace), "key", false);
    const most = maxTrips(route);
    expect(trips).toEqual({ ...most, d1: most.d1 + 1 });
  });

  it("a replay makes one read and one coordinator call", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    await tripsOf(route, workspace, records);
    const { status, trips } = await tripsOf(route, workspace, records);
    expect([status, trips]).toEqual([200, { d1: 1, coordinator: 1, mail: 0, r2: 0 }]);
  });
});

/**
 * A read loads the principal and the data in one round trip. A write reads, calls the coordinator and writes. Between
 * its read and its write, a send also stores its link's key and sends the e-mail.
 */
function maxTrips(route: Route): Trips {
  // The coordinator stores the request log.
  const coordinator = route.path === "/api-v1/requests" ? 2 : 1;
  if (route.kind === "read")
    return { d1: 1, coordinator, mail: 0, r2: route.path.endsWith("/image") ? 1 : 0 };
  const isSend = route.path.endsWith("/send");
  return { d1: isSend ? 3 : 2, coordinator: 1, mail: isSend ? 1 : 0, r2: 0 };
}
