import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  AuthenticationError,
  type EventStore,
  memoryStore,
  partnerApi,
  signDelivery,
} from "../../client/src/index.ts";
import { sqliteStore } from "../../client/src/stores/sqlite.ts";
import { freePort } from "../../scripts/local/port.ts";
import { Feed } from "./feed.ts";
import { scriptedService } from "./scripted-service.ts";

/** The same numbers in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function feedAndClient() {
  const feed = new Feed(seeded(1));
  onTestFinished(() => feed.close());
  const baseUrl = await feed.listen();
  const api = partnerApi({ baseUrl, apikey: "pk", token: "svc", webhookSecret: feed.secret, maxRetries: 0 });
  return { feed, api };
}

const patienceMs = 30_000;

const until = async (isSo: () => boolean) => {
  const giveUpMs = Date.now() + patienceMs;
  while (!isSo()) {
    if (Date.now() > giveUpMs) throw new Error("nothing moves any more");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

describe("catchUp", () => {
  it("handles every event once, in order, across pages, and nothing again the next time", async () => {
    const { feed, api } = await feedAndClient();
    for (let count = 0; count < 120; count++) feed.commit("record");
    const handled: string[] = [];
    const store = memoryStore();
    const handle = ({ id }: { id: string }) => handled.push(id);
    await api.events.catchUp({ store, handle });
    expect(handled).toEqual(feed.ids);
    feed.commit("record");
    await api.events.catchUp({ store, handle });
    expect(handled).toEqual(feed.ids);
    expect(feed.queries.at(-1)?.get("cursor")).toBe("after-120");
  });

  it("asks for the same filters on every page", async () => {
    const { feed, api } = await feedAndClient();
    for (let count = 0; count < 60; count++) feed.commit("record");
    const updated_since = "2026-01-01T00:00:00Z";
    const types = ["invoice.paid", "delivery"];
    await api.events.catchUp({ store: memoryStore(), handle: () => {}, types, updated_since });
    expect(feed.queries).toHaveLength(2);
    for (const query of feed.queries) {
      expect([query.get("types"), query.get("updated_since")]).toEqual([
        "invoice.paid,delivery",
        updated_since,
      ]);
    }
  });

  it("begins at the cursor given, until the store has one", async () => {
    const { feed, api } = await feedAndClient();
    for (let count = 0; count < 3; count++) feed.commit("record");
    const handled: string[] = [];
    const store = memoryStore();
    const options = { store, cursor: "after-2", handle: ({ id }: { id: string }) => handled.push(id) };
    await api.events.catchUp(options);
    await api.events.catchUp(options);
    expect(handled).toEqual(feed.ids.slice(2));
  });

  it("ends quietly behind the page in hand when it is told to, and begins behind it the next time", async () => {
    const { feed, api } = await feedAndClient();
    for (let count = 0; count < 60; count++) feed.commit("record");
    const stopping = new AbortController();
    const store = memoryStore();
    const handled: string[] = [];
    const handle = ({ id }: { id: string }) => {
      if (handled.push(id) === 50) stopping.abort();
    };
    await api.events.catchUp({ store, handle, signal: stopping.signal });
    expect([handled.length, feed.queries.length, await store.cursor()]).toEqual([50, 1, "after-50"]);
  });

  it("reads again and handles nothing twice where a cursor was deleted that the service no longer takes", async () => {
    const { feed, api } = await feedAndClient();
    const database = new DatabaseSync(":memory:");
    const store = sqliteStore(database);
    const handled: string[] = [];
    const handle = ({ id }: { id: string }) => handled.push(id);
    for (let count = 0; count < 60; count++) feed.commit("record");
    await api.events.catchUp({ store, handle });
    feed.commit("record");
    database.exec("DELETE FROM partner_api_cursors");
    await api.events.catchUp({ store, handle });
    expect([handled, feed.queries.map((query) => query.get("cursor"))]).toEqual([
      feed.ids,
      [null, "after-50", null, "after-50"],
    ]);
  });

  it("writes the cursor only when it has moved", async () => {
    const { feed, api } = await feedAndClient();
    feed.commit("record");
    const store = memoryStore();
    const advance = vi.spyOn(store, "advance");
    for (let times = 0; times < 3; times++) await api.events.catchUp({ store, handle: () => {} });
    expect(advance.mock.calls).toEqual([["after-1"]]);
  });

  it("rejects with what the handler threw, and begins again with that event", async () => {
    const { feed, api } = await feedAndClient();
    for (let count = 0; count < 3; count++) feed.commit("record");
    const handled: string[] = [];
    const store = memoryStore();
    const failing = async ({ id }: { id: string }) => {
      if (id === feed.ids[1]) throw new Error("the disk is full");
      handled.push(id);
    };
    await expect(api.events.catchUp({ store, handle: failing })).rejects.toThrow("the disk is full");
    await api.events.catchUp({ store, handle: ({ id }) => handled.push(id) });
    expect(handled).toEqual(feed.ids);
  });

  it("leaves no ids in a memoryStore that its cursor has passed: it does not grow", async () => {
    const store = memoryStore();
    const work = vi.fn();
    for (const cursor of ["after-1", "after-2"]) {
      for (const _ of ["once", "again"]) await store.once("an id", work);
      await store.advance(cursor);
    }
    expect(work).toHaveBeenCalledTimes(2);
  });

  it("rejects with what the store threw", async () => {
    const { feed, api } = await feedAndClient();
    feed.commit("record");
    const advance = () => Promise.reject(new Error("the disk is full"));
    const store = { ...memoryStore(), advance };
    await expect(api.events.catchUp({ store, handle: () => {} })).rejects.toThrow("the disk is full");
  });
});

const headersOf = async (body: string, secret: string) => {
  const timestamp = Math.floor(Date.now() / 1000);
  return {
    "webhook-id": "delivery",
    "webhook-timestamp": String(timestamp),
    "webhook-signature": await signDelivery("delivery", timestamp, body, secret),
  };
};

describe("follow", { timeout: 60_000 }, () => {
  it("looks at once when a delivery comes, and takes no delivery that is not ours", async () => {
    const { feed, api } = await feedAndClient();
    const handled: string[] = [];
    const following = api.events.follow({
      store: memoryStore(),
      handle: ({ id }) => handled.push(id),
      pollSeconds: 3_600,
    });
    await until(() => feed.queries.length === 1);
    feed.commit("record");
    const body = JSON.stringify({ event: "invoice.paid", data: {} });
    const headers = await headersOf(body, feed.secret);
    await expect(following.receive(`${body} `, headers)).rejects.toThrow("no signature by this secret");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(feed.queries).toHaveLength(1);
    expect(await following.receive(body, headers)).toEqual(JSON.parse(body));
    await until(() => handled.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(feed.queries).toHaveLength(2);
    await following.stop();
  });

  it("looks again when a delivery comes while it is reading", async () => {
    const { feed, api } = await feedAndClient();
    feed.commit("record");
    const handled: string[] = [];
    const following = api.events.follow({
      store: memoryStore(),
      handle: async ({ id }) => {
        if (handled.push(id) > 1) return;
        feed.commit("record");
        await following.receive("{}", await headersOf("{}", feed.secret));
      },
      pollSeconds: 3_600,
    });
    await until(() => handled.length === 2);
    await following.stop();
    expect(handled).toEqual(feed.ids);
  });

  it("ends by stop and by the caller's signal, also while an answer is awaited", async () => {
    const { api, asked } = await scriptedService(["silence"]);
    const leaving = new AbortController();
    const options = { store: memoryStore(), handle: () => {}, signal: leaving.signal };
    const [stopped, left] = [api.events.follow(options), api.events.follow(options)];
    await until(() => asked.length === 2);
    await stopped.stop();
    leaving.abort();
    await left.finished;
    expect(asked).toHaveLength(2);
  });

  it("counts an outage's Retry-After into the time between two looks", async () => {
    const headers = { "retry-after": "1" };
    const { api } = await scriptedService([{ status: 503, headers }], { maxRetries: 0 });
    const timers = vi.spyOn(globalThis, "setTimeout");
    const following = api.events.follow({ store: memoryStore(), handle: () => {}, pollSeconds: 5 });
    await expect.poll(() => timers.mock.calls.map(([, ms]) => ms), { timeout: 10_000 }).toContain(4000);
    timers.mockRestore();
    await following.stop();
  });

  it("goes on after an outage and ends at what no retry helps", async () => {
    const { feed, api } = await feedAndClient();
    feed.close();
    const outages: string[] = [];
    const store = memoryStore();
    const following = api.events.follow({
      store,
      handle: () => {},
      pollSeconds: 0.01,
      onOutage: ({ name }) => outages.push(name),
    });
    await until(() => outages.length > 2);
    await following.stop();
    expect(new Set(outages)).toEqual(new Set(["ConnectionError"]));
    const broken: EventStore<undefined> = { ...store, cursor: () => Promise.reject(new Error("no table")) };
    await expect(api.events.follow({ store: broken, handle: () => {} }).finished).rejects.toThrow("no table");
    const saysNothing = { ...store, cursor: () => Promise.reject() };
    await expect(
      api.events.follow({ store: saysNothing, handle: () => {} }).finished,
    ).rejects.toBeUndefined();
  });

  it("ends with a refusal that no retry helps, and takes none for an outage", async () => {
    const { api } = await scriptedService([{ status: 401, body: { error: "Invalid or missing API token" } }]);
    const onOutage = () => void following.stop();
    const following = api.events.follow({ store: memoryStore(), handle: () => {}, onOutage });
    await expect(following.finished).rejects.toBeInstanceOf(AuthenticationError);
  });

  it("comes no sooner than an outage's Retry-After, however long and whatever wakes it", async () => {
    const { api, asked } = await scriptedService(
      [{ status: 503, body: "<h1>Down</h1>", headers: { "retry-after": "7200" } }],
      { webhookSecret: `whsec_${btoa("a")}` },
    );
    const timers = vi.spyOn(globalThis, "setTimeout");
    const outages: unknown[] = [];
    const onOutage = (error: unknown) => outages.push(error);
    const following = api.events.follow({
      store: memoryStore(),
      handle: () => {},
      pollSeconds: 0.01,
      onOutage,
    });
    await expect.poll(() => timers.mock.calls.map(([, ms]) => ms), { timeout: 10_000 }).toContain(7_200_000);
    timers.mockRestore();
    await following.receive("{}", await headersOf("{}", `whsec_${btoa("a")}`));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([asked.length, outages.length]).toEqual([1, 1]);
    await following.stop();
  });

  it("looks every 30 seconds by itself", async () => {
    const { feed, api } = await feedAndClient();
    const timers = vi.spyOn(globalThis, "setTimeout");
    const following = api.events.follow({ store: memoryStore(), handle: () => {} });
    await until(() => feed.queries.length === 1);
    await expect.poll(() => timers.mock.calls.map(([, ms]) => ms), { timeout: 10_000 }).toContain(30_000);
    timers.mockRestore();
    await following.stop();
  });

  it("ends behind the event in hand, with what its handler threw", async () => {
    const { feed, api } = await feedAndClient();
    for (let count = 0; count < 5; count++) feed.commit("record");
    const handled: string[] = [];
    let begun = 0;
    const following = api.events.follow({
      store: memoryStore(),
      handle: async ({ id }) => {
        begun += 1;
        void following.stop();
        await new Promise((resolve) => setTimeout(resolve, 50));
        handled.push(id);
      },
    });
    await until(() => begun === 1);
    await following.stop();
    expect(handled).toEqual(feed.ids.slice(0, 1));
    const handle = () => {
      void failing.stop();
      throw new Error("the disk is full");
    };
    const failing = api.events.follow({ store: memoryStore(), handle });
    await expect(failing.finished).rejects.toThrow("the disk is full");
  });
});

const events = 400;
const records = 7;
const killEvery = 25;

it("writes each event once and in order while 30 % are lost, 30 % doubled, all shuffled, and the process is killed", {
  timeout: 110_000,
}, async () => {
  const random = seeded(14);
  const feed = new Feed(random, { lost: 0.3, doubled: 0.3 });
  const directory = mkdtempSync(join(tmpdir(), "follower-"));
  const file = join(directory, "partner.sqlite");
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("CREATE TABLE work (number INTEGER PRIMARY KEY AUTOINCREMENT, event_id TEXT, record TEXT)");
  const workDone = () => Number(database.prepare("SELECT count(*) AS done FROM work").get()?.done);
  const port = await freePort();
  const environment = {
    ...process.env,
    FEED: await feed.listen(),
    DATABASE: file,
    SECRET: feed.secret,
  };
  const followers: ChildProcess[] = [];
  const start = (ownPort: number) => {
    const child = spawn(process.execPath, ["--no-warnings", join(import.meta.dirname, "follower.ts")], {
      env: { ...environment, PORT: String(ownPort) },
      stdio: ["ignore", "inherit", "inherit"],
    });
    followers.push(child);
    return child;
  };
  onTestFinished(() => {
    for (const child of followers) child.kill("SIGKILL");
    feed.close();
    database.close();
    rmSync(directory, { recursive: true });
  });

  feed.target = `http://127.0.0.1:${port}/hooks`;
  let follower = start(port);
  // A second one beside it all the time, as in a deployment that overlaps.
  start(await freePort());
  let kills = 0;
  for (let committed = 0; workDone() < events; ) {
    for (const goal = Math.min(events, committed + killEvery); committed < goal; committed++) {
      feed.commit(`record-${Math.floor(random() * records)}`);
    }
    const before = workDone();
    await until(() => workDone() >= Math.min(before + 5, committed));
    const ended = new Promise((resolve) => follower.once("exit", resolve));
    follower.kill("SIGKILL");
    await ended;
    kills += 1;
    follower = start(port);
  }

  const written = database.prepare("SELECT event_id FROM work ORDER BY number").all();
  expect(written.map(({ event_id }) => event_id)).toEqual(feed.ids);
  expect(kills).toBeGreaterThan(10);
});
