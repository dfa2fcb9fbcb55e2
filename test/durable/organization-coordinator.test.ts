import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimLimits } from "../../src/contract/limits.ts";
import { sessionLimits } from "../../src/contract/session-limits.ts";
import type { ClaimRequest } from "../../src/durable/claims.ts";
import type { Acquired } from "../../src/durable/organization-coordinator.ts";
import { advanceClock, startClock, stopClock } from "../support/clock.ts";
import { loggedRequest } from "../support/coordinator.ts";

const newCoordinator = () => env.ORGANIZATION_COORDINATOR.getByName(crypto.randomUUID());
type Coordinator = ReturnType<typeof newCoordinator>;

const ceiling = 100;
const daySeconds = 86_400;

const request = (changes: Partial<ClaimRequest> = {}): ClaimRequest => ({
  key: "key",
  fingerprint: "this request",
  holder: crypto.randomUUID(),
  ...changes,
});

const claim = async (coordinator: Coordinator, changes?: Partial<ClaimRequest>) => {
  const acquired = (await coordinator.acquire(ceiling, "token", request(changes))) as Acquired;
  if (acquired.outcome === "limited") throw new Error("limited");
  return acquired.claim;
};

const take = async (coordinator: Coordinator, changes?: Partial<ClaimRequest>) => {
  const { key, holder } = request(changes);
  expect(await claim(coordinator, { ...changes, holder })).toEqual({ state: "fresh", waited: false });
  return { key, holder };
};

const alarmOf = (coordinator: Coordinator) =>
  runInDurableObject(coordinator, (_, state) => state.storage.getAlarm());
const persisted = () => new Promise((resolve) => setTimeout(resolve, 100));

describe("the rate limit window", () => {
  beforeEach(() => stopClock());
  afterEach(startClock);

  it("admits requests up to the limit until the minute ends", async () => {
    const coordinator = newCoordinator();
    const outcomes = [];
    for (let turn = 0; turn < 4; turn++) outcomes.push(await coordinator.acquire(3, "token"));
    expect(outcomes).toMatchObject([
      ...Array(3).fill({ outcome: "counted", resetSeconds: 50, claim: { state: "none" } }),
      { outcome: "limited", resetSeconds: 50 },
    ]);
    advanceClock(49.999);
    expect(await coordinator.acquire(3, "token")).toMatchObject({ outcome: "limited", resetSeconds: 1 });
    advanceClock(0.001);
    expect(await coordinator.acquire(3, "token")).toMatchObject({ outcome: "counted", resetSeconds: 60 });
  });

  it("reports the seconds until it ends, rounded up", async () => {
    const coordinator = newCoordinator();
    advanceClock(0.5);
    expect(await coordinator.acquire(3, "token")).toMatchObject({ resetSeconds: 50 });
  });

  it("does not count a rejected request", async () => {
    const coordinator = newCoordinator();
    for (let turn = 0; turn < 10; turn++) await coordinator.acquire(2, "token");
    expect((await coordinator.acquire(3, "token")).outcome).toBe("counted");
    expect((await coordinator.acquire(3, "token")).outcome).toBe("limited");
  });

  it("survives eviction", async () => {
    const coordinator = newCoordinator();
    for (let turn = 0; turn < 3; turn++) {
      await coordinator.acquire(3, "token");
      await persisted();
    }
    await evictDurableObject(coordinator);
    expect(await coordinator.acquire(3, "token")).toMatchObject({ outcome: "limited", resetSeconds: 50 });
  });

  it("is stored each time the count grows by a 20th of the limit", async () => {
    const coordinator = newCoordinator();
    const counts = async (times: number) => {
      for (let turn = 0; turn < times; turn++) await coordinator.count(ceiling, "token");
      await persisted();
      const rows = await runInDurableObject(coordinator, (_, state) =>
        state.storage.sql.exec<{ count: number }>("SELECT count FROM rate_window").toArray(),
      );
      return rows.map(({ count }) => count);
    };
    expect(await counts(4)).toEqual([]);
    expect(await counts(1)).toEqual([5]);
    expect(await counts(4)).toEqual([5]);
    await evictDurableObject(coordinator);
    expect(await counts(ceiling - 5)).toEqual([ceiling]);
    expect((await coordinator.count(ceiling, "token")).outcome).toBe("limited");
  });

  it("stays full after an eviction, even if the limit is not divisible by 20", async () => {
    const coordinator = newCoordinator();
    const odd = 50;
    for (let turn = 0; turn < odd; turn++) {
      if (turn === odd - 2) await persisted();
      await coordinator.count(odd, "token");
    }
    await persisted();
    await evictDurableObject(coordinator);
    expect((await coordinator.count(odd, "token")).outcome).toBe("limited");
  });

  it("is separate for RPC and settings calls", async () => {
    const coordinator = newCoordinator();
    await coordinator.count(1, "token");
    for (let turn = 0; turn < sessionLimits.callsPerMinute; turn++)
      expect((await coordinator.countSessionCall()).outcome).toBe("counted");
    await persisted();
    await evictDurableObject(coordinator);
    expect(await coordinator.countSessionCall()).toEqual({ outcome: "limited", resetSeconds: 50 });
    expect((await coordinator.count(2, "token")).outcome).toBe("counted");
    advanceClock(50);
    expect((await coordinator.countSessionCall()).outcome).toBe("counted");
  });

  it("ends with its minute, even after an eviction", async () => {
    const coordinator = newCoordinator();
    await coordinator.acquire(1, "token");
    await persisted();
    advanceClock(50);
    await evictDurableObject(coordinator);
    expect((await coordinator.acquire(1, "token")).outcome).toBe("counted");
  });

  it("records the minute of the last counted request of each token", async () => {
    const coordinator = newCoordinator();
    await coordinator.count(3, "first");
    await persisted();
    advanceClock(60);
    await coordinator.count(3, "second");
    expect((await coordinator.count(1, "refused")).outcome).toBe("limited");
    await persisted();
    await evictDurableObject(coordinator);
    expect(await coordinator.lastUses()).toEqual({
      first: "2066-03-01T12:00:00.000Z",
      second: "2066-03-01T12:01:00.000Z",
    });
  });

  it("writes a token's last minute to storage only once", async () => {
    const coordinator = newCoordinator();
    await coordinator.count(3, "token");
    await persisted();
    const written = () =>
      runInDurableObject(coordinator, (_, state) =>
        state.storage.sql.exec("DELETE FROM token_use RETURNING token_id").toArray(),
      );
    expect(await written()).toEqual([{ token_id: "token" }]);
    await coordinator.count(3, "token");
    await coordinator.count(3, "another");
    await persisted();
    expect(await written()).toEqual([{ token_id: "another" }]);
  });

  it("does not claim the key for a rejected request", async () => {
    const coordinator = newCoordinator();
    await coordinator.acquire(1, "token");
    expect(await coordinator.acquire(1, "token", request())).toMatchObject({
      outcome: "limited",
      resetSeconds: 50,
    });
    expect(await claim(coordinator, { fingerprint: "another" })).toMatchObject({ waited: false });
  });
});

describe("a claim to an idempotency key", () => {
  it("is granted to one caller at a time, and then to one of the waiting callers", async () => {
    const coordinator = newCoordinator();
    const holder = await take(coordinator);
    const waiting = [1, 2, 3].map((each) => claim(coordinator, { holder: String(each) }));
    await coordinator.release(holder);
    const late = scheduler.wait(6_000).then(() => "late");
    expect(await Promise.race([...waiting, late])).toEqual({ state: "fresh", waited: true });
    for (const each of [1, 2, 3]) await coordinator.release({ key: "key", holder: String(each) });
    expect(await Promise.all(waiting)).toEqual(Array(3).fill({ state: "fresh", waited: true }));
  });

  it("is not granted to another request until it is released", async () => {
    const coordinator = newCoordinator();
    const holder = await take(coordinator);
    expect(await claim(coordinator, { fingerprint: "another" })).toEqual({ state: "mismatch" });
    await coordinator.release(holder);
    expect(await claim(coordinator, { fingerprint: "another" })).toEqual({ state: "fresh", waited: false });
  });

  it("stays with its holder when the holder repeats the call", async () => {
    const coordinator = newCoordinator();
    const { holder } = await take(coordinator);
    expect(await claim(coordinator, { holder })).toMatchObject({ state: "fresh" });
  });

  it("can be released only by its holder", async () => {
    const coordinator = newCoordinator();
    await take(coordinator);
    await coordinator.release(request());
    expect(await claim(coordinator, { fingerprint: "another" })).toEqual({ state: "mismatch" });
  });

  it("is kept only in memory and does not survive an eviction", async () => {
    const coordinator = newCoordinator();
    await take(coordinator);
    await evictDurableObject(coordinator);
    await take(coordinator);
  });
});

describe("a lease", () => {
  beforeEach(() => stopClock());
  afterEach(startClock);

  it("lasts 30 seconds, after which another request takes over", async () => {
    const coordinator = newCoordinator();
    const dead = await take(coordinator);
    advanceClock(claimLimits.leaseSeconds - 0.001);
    expect(await claim(coordinator, { fingerprint: "another" })).toEqual({ state: "mismatch" });
    advanceClock(0.001);
    expect(await claim(coordinator)).toEqual({ state: "fresh", waited: true });
    await coordinator.release(dead);
    expect(await claim(coordinator, { fingerprint: "another" })).toEqual({ state: "mismatch" });
  });
});

describe("a request that waits for events", () => {
  beforeEach(() => stopClock());
  afterEach(startClock);

  it("uses one of its token's 5 slots until it ends, even after an eviction [F7]", async () => {
    const coordinator = newCoordinator();
    const begin = (holder: string, tokenId = "token") =>
      coordinator.beginWait({ tokenId, holder, milliseconds: 25_000 });
    for (const holder of ["a", "b", "c", "d", "e"]) expect(await begin(holder)).toBe(true);
    await evictDurableObject(coordinator);
    expect([await begin("f"), await begin("a"), await begin("f", "another")]).toEqual([false, true, true]);
    await coordinator.endWait({ tokenId: "token", holder: "b" });
    expect([await begin("f"), await begin("g")]).toEqual([true, false]);
    advanceClock(25);
    for (const holder of ["a", "b", "c", "d", "e"]) expect(await begin(holder)).toBe(true);
    const rows = () =>
      runInDurableObject(coordinator, (_, state) =>
        Number(state.storage.sql.exec("SELECT count(*) AS rows FROM waits").one().rows),
      );
    expect(await rows()).toBe(6);
    advanceClock(25);
    await coordinator.logRequests([loggedRequest()]);
    await runDurableObjectAlarm(coordinator);
    expect(await rows()).toBe(0);
  });
});

describe("an e-mail that was sent but not recorded", () => {
  beforeEach(() => stopClock());
  afterEach(startClock);

  const sent = { key: "key", fingerprint: "this request", answer: '{"ok":true}' };

  it("is replayed for the same request and key, even after an eviction", async () => {
    const coordinator = newCoordinator();
    await coordinator.rememberSent(sent);
    await evictDurableObject(coordinator);
    expect(await claim(coordinator)).toEqual({ state: "sent", answer: '{"ok":true}' });
    expect(await claim(coordinator, { fingerprint: "another" })).toEqual({ state: "mismatch" });
  });

  it("is deleted after 31 days by an alarm", async () => {
    const coordinator = newCoordinator();
    await coordinator.acquire(ceiling, "token", request({ key: "of no mail" }));
    expect(await alarmOf(coordinator)).toBeNull();
    await coordinator.rememberSent(sent);
    expect(await alarmOf(coordinator)).toBe(Date.now() + daySeconds * 1000);
    advanceClock(claimLimits.sentMailDays * daySeconds);
    await runDurableObjectAlarm(coordinator);
    expect((await claim(coordinator)).state).toBe("sent");
    advanceClock(1);
    await runDurableObjectAlarm(coordinator);
    expect(await alarmOf(coordinator)).toBeNull();
    expect((await claim(coordinator)).state).toBe("fresh");
  });
});

describe("an erased coordinator", () => {
  const erased = async () => {
    const coordinator = newCoordinator();
    await coordinator.count(ceiling, "token");
    await coordinator.erase();
    return coordinator;
  };
  const tablesOf = (coordinator: Coordinator) =>
    runInDurableObject(coordinator, (_, state) =>
      state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT GLOB '_cf*'").toArray(),
    );

  it("has no tables and stores no counts", async () => {
    const coordinator = await erased();
    await persisted();
    expect(await coordinator.lastUses()).toEqual({});
    expect(await tablesOf(coordinator)).toEqual([]);
  });

  it("counts a request with a key but records no sent e-mail", async () => {
    const coordinator = await erased();
    await coordinator.rememberSent({ key: "key", fingerprint: "this request", answer: "{}" });
    expect(await coordinator.acquire(ceiling, "token", request())).toMatchObject({
      outcome: "counted",
      claim: { state: "fresh" },
    });
    expect(await tablesOf(coordinator)).toEqual([]);
  });
});
