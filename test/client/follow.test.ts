import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type EventStore, memoryStore, partnerApi, signDelivery } from "../../client/src/index.ts";
import { Feed } from "./feed.ts";
import { scriptedService } from "./scripted-service.ts";

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
  it("stops after the current page when aborted, and stores that page's cursor", async () => {
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

  it("stores the cursor only when it has changed", async () => {
    const { feed, api } = await feedAndClient();
    feed.commit("record");
    const store = memoryStore();
    const advance = vi.spyOn(store, "advance");
    for (let times = 0; times < 3; times++) await api.events.catchUp({ store, handle: () => {} });
    expect(advance.mock.calls).toEqual([["after-1"]]);
  });

  it("removes event ids from a memoryStore once the cursor is past them", async () => {
    const store = memoryStore();
    const work = vi.fn();
    for (const cursor of ["after-1", "after-2"]) {
      for (const _ of ["once", "again"]) await store.once("an id", work);
      await store.advance(cursor);
    }
    expect(work).toHaveBeenCalledTimes(2);
  });

  it("rejects with the store's error", async () => {
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
  it("polls again when a delivery arrives while it is reading", async () => {
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

  it("ends on stop() and on the caller's signal, even during a request", async () => {
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

  it("counts the Retry-After of an outage toward the poll interval", async () => {
    const headers = { "retry-after": "1" };
    const { api } = await scriptedService([{ status: 503, headers }], { maxRetries: 0 });
    const timers = vi.spyOn(globalThis, "setTimeout");
    const following = api.events.follow({ store: memoryStore(), handle: () => {}, pollSeconds: 5 });
    await expect.poll(() => timers.mock.calls.map(([, ms]) => ms), { timeout: 10_000 }).toContain(4000);
    timers.mockRestore();
    await following.stop();
  });

  it("keeps polling through an outage, and rejects if the store fails", async () => {
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

  it("polls every 30 seconds if the service has no long polling", async () => {
    const { feed, api } = await feedAndClient();
    const timers = vi.spyOn(globalThis, "setTimeout");
    const following = api.events.follow({ store: memoryStore(), handle: () => {} });
    await until(() => feed.queries.length === 1);
    await expect.poll(() => timers.mock.calls.map(([, ms]) => ms), { timeout: 10_000 }).toContain(30_000);
    timers.mockRestore();
    await following.stop();
  });

  it("stops with the handler's error after the current event", async () => {
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
