import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClaimRequest } from "../../src/contract/claims.ts";
import { claimLimits } from "../../src/contract/limits.ts";
import type { Acquired } from "../../src/durable/organization-coordinator.ts";
import { advanceClock, startClock, stopClock } from "../support/clock.ts";

const newCoordinator = () => env.ORGANIZATION_COORDINATOR.getByName(crypto.randomUUID());
type Coordinator = ReturnType<typeof newCoordinator>;

const ceiling = 100;
const daySeconds = 86_400;

const request = (changes: Partial<ClaimRequest> = {}): ClaimRequest => ({
  key: "key",
  fingerprint: "this request",
  holder: crypto.randomUUID(),
  take: true,
  ...changes,
});

const claim = async (coordinator: Coordinator, changes?: Partial<ClaimRequest>) => {
  const acquired = (await coordinator.acquire(ceiling, "token", request(changes))) as Acquired;
  if (acquired.outcome === "limited") throw new Error("limited");
  return acquired.claim;
};

const take = async (coordinator: Coordinator, changes?: Partial<ClaimRequest>): Promise<string> => {
  const holder = crypto.randomUUID();
  expect(await claim(coordinator, { holder, ...changes })).toEqual({ state: "fresh", waited: false });
  return holder;
};

const complete = (coordinator: Coordinator, answer: string, fingerprint = "this request", key = "key") =>
  coordinator.complete({ key, fingerprint, answer });

const claimsOf = (coordinator: Coordinator) =>
  runInDurableObject(coordinator, (_, state) =>
    state.storage.sql.exec("SELECT key FROM claim ORDER BY key").toArray(),
  );
const alarmOf = (coordinator: Coordinator) =>
  runInDurableObject(coordinator, (_, state) => state.storage.getAlarm());
const persisted = () => new Promise((resolve) => setTimeout(resolve, 100));

describe("the window", () => {
  beforeEach(() => stopClock());
  afterEach(startClock);

  it("lets in the ceiling and no more until the minute ends", async () => {
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

  it("tells whole seconds to its end, rounded up", async () => {
    const coordinator = newCoordinator();
    advanceClock(0.5);
    expect(await coordinator.acquire(3, "token")).toMatchObject({ resetSeconds: 50 });
  });

  it("does not count a refused request", async () => {
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

  it("is not carried into the next minute by an eviction", async () => {
    const coordinator = newCoordinator();
    await coordinator.acquire(1, "token");
    await persisted();
    advanceClock(50);
    await evictDurableObject(coordinator);
    expect((await coordinator.acquire(1, "token")).outcome).toBe("counted");
  });

  it("knows the minute of each token's last counted request, also after an eviction", async () => {
    const coordinator = newCoordinator();
    await coordinator.count(3, "first");
    await persisted();
    advanceClock(60);
    await coordinator.count(3, "second");
    expect((await coordinator.count(1, "refused")).outcome).toBe("limited");
    await persisted();
    await evictDurableObject(coordinator);
    expect(await coordinator.lastUses()).toEqual({
      first: "2026-03-01T12:00:00.000Z",
      second: "2026-03-01T12:01:00.000Z",
    });
  });

  it("writes a token's minute once", async () => {
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

  it("a refused request claims nothing", async () => {
    const coordinator = newCoordinator();
    await coordinator.acquire(1, "token");
    expect(await coordinator.acquire(1, "token", request())).toMatchObject({
      outcome: "limited",
      resetSeconds: 50,
    });
    expect(await claimsOf(coordinator)).toEqual([]);
  });
});

describe("a claim", () => {
  it("is had by one of many callers; the others get its answer", async () => {
    const coordinator = newCoordinator();
    await take(coordinator);
    const waiting = Promise.all(Array.from({ length: 49 }, () => claim(coordinator)));
    await complete(coordinator, "the answer");
    expect(await waiting).toEqual(Array(49).fill({ state: "replay", answer: "the answer" }));
  });

  it("of another request is refused, whether the first is open or done", async () => {
    const coordinator = newCoordinator();
    await take(coordinator);
    expect(await claim(coordinator, { fingerprint: "another" })).toEqual({ state: "mismatch" });
    await complete(coordinator, "the answer");
    expect(await claim(coordinator, { fingerprint: "another" })).toEqual({ state: "mismatch" });
  });

  it("that is given back goes to exactly one of those who wait", async () => {
    const coordinator = newCoordinator();
    const holder = await take(coordinator);
    const waiting = [1, 2, 3].map(() => claim(coordinator));
    await coordinator.release("key", holder);
    // At once, not when their patience ends after ten seconds.
    const late = scheduler.wait(6_000).then(() => "late");
    expect(await Promise.race([...waiting, late])).toEqual({ state: "fresh", waited: true });
    await complete(coordinator, "the answer");
    const states = (await Promise.all(waiting)).map(({ state }) => state).sort();
    expect(states).toEqual(["fresh", "replay", "replay"]);
  });

  it("whose lease ends goes at once to who waits for it", async () => {
    const coordinator = newCoordinator();
    await take(coordinator);
    await runInDurableObject(coordinator, (_, state) => {
      state.storage.sql.exec("UPDATE claim SET lease_ends_ms = ?", Date.now() + 500);
    });
    const late = scheduler.wait(6_000).then(() => "late");
    expect(await Promise.race([claim(coordinator), late])).toEqual({ state: "fresh", waited: true });
  });

  it("that is given back may go to another request", async () => {
    const coordinator = newCoordinator();
    await coordinator.release("key", await take(coordinator));
    expect((await claim(coordinator, { fingerprint: "another" })).state).toBe("fresh");
  });

  it("is still its holder's when the call that took it is made again", async () => {
    const coordinator = newCoordinator();
    const holder = await take(coordinator);
    expect(await claim(coordinator, { holder })).toEqual({ state: "fresh", waited: false });
    const waiting = claim(coordinator);
    await coordinator.release("key", holder);
    expect(await waiting).toEqual({ state: "fresh", waited: true });
  });

  it("that is done cannot be given back, nor completed by another request", async () => {
    const coordinator = newCoordinator();
    const holder = await take(coordinator);
    await complete(coordinator, "the answer");
    await coordinator.release("key", holder);
    await complete(coordinator, "a forged answer", "another request");
    expect(await claim(coordinator)).toEqual({ state: "replay", answer: "the answer" });
  });

  it("is read and not taken by a request that is refused anyway", async () => {
    const coordinator = newCoordinator();
    expect((await claim(coordinator, { take: false })).state).toBe("fresh");
    expect(await claimsOf(coordinator)).toEqual([]);
    await take(coordinator);
    await complete(coordinator, "the answer");
    expect(await claim(coordinator, { take: false })).toEqual({ state: "replay", answer: "the answer" });
  });

  it("that is done resumes all who wait for it at once", async () => {
    const coordinator = newCoordinator();
    await take(coordinator);
    const waiting = Array.from({ length: 5 }, () => claim(coordinator));
    await persisted();
    await complete(coordinator, "the answer");
    const late = scheduler.wait(6_000).then(() => "late");
    expect(await Promise.race([Promise.all(waiting), late])).toEqual(
      Array(5).fill({ state: "replay", answer: "the answer" }),
    );
  });

  it("keeps an answer of up to 8 KB; of a longer one, that there was one", async () => {
    const coordinator = newCoordinator();
    const answers = [8192, 8193].map((characters) => "x".repeat(characters));
    for (const answer of answers) {
      await take(coordinator, { key: `${answer.length}` });
      await complete(coordinator, answer, "this request", `${answer.length}`);
    }
    expect(await claim(coordinator, { key: "8192" })).toEqual({ state: "replay", answer: answers[0] });
    expect(await claim(coordinator, { key: "8193" })).toEqual({ state: "replay", answer: null });
  });

  it("forgets an answer that holds a text, and no other", async () => {
    const coordinator = newCoordinator();
    for (const key of ["Nora", "Ada"]) {
      await take(coordinator, { key });
      await complete(coordinator, `{"name":"${key}"}`, "this request", key);
    }
    await coordinator.forgetAnswers("Nora");
    expect(await claim(coordinator, { key: "Nora" })).toEqual({ state: "replay", answer: null });
    expect(await claim(coordinator, { key: "Ada" })).toEqual({ state: "replay", answer: '{"name":"Ada"}' });
  });

  it("survives eviction, open and done", async () => {
    const coordinator = newCoordinator();
    await take(coordinator);
    await take(coordinator, { key: "done" });
    await complete(coordinator, "the answer", "this request", "done");
    await evictDurableObject(coordinator);
    expect(await claim(coordinator, { key: "done" })).toEqual({ state: "replay", answer: "the answer" });
    expect(await claim(coordinator, { fingerprint: "another" })).toEqual({ state: "mismatch" });
  });
});

describe("a lease", () => {
  beforeEach(() => stopClock());
  afterEach(startClock);

  it("lasts 30 seconds", async () => {
    const coordinator = newCoordinator();
    await take(coordinator);
    const [held] = await runInDurableObject(coordinator, (_, state) =>
      state.storage.sql.exec("SELECT lease_ends_ms FROM claim").toArray(),
    );
    expect(Number(held?.lease_ends_ms) - Date.now()).toBe(30_000);
  });

  it("that has ended lets the same request take over from a holder that died, and no other request", async () => {
    const coordinator = newCoordinator();
    const dead = await take(coordinator);
    advanceClock(claimLimits.leaseSeconds);
    expect(await claim(coordinator, { fingerprint: "another" })).toEqual({ state: "mismatch" });
    // What it read may be older than the dead one's work.
    expect(await claim(coordinator)).toEqual({ state: "fresh", waited: true });
    await coordinator.release("key", dead);
    expect(await claimsOf(coordinator)).toEqual([{ key: "key" }]);
    await complete(coordinator, "the answer");
    expect(await claim(coordinator)).toEqual({ state: "replay", answer: "the answer" });
  });
});

describe("the purge", () => {
  // Alarms ring by the true clock: one in its past would be moved.
  beforeEach(() => stopClock("2096-03-01T12:00:10.000Z"));
  afterEach(startClock);

  it("is set for a day after the first claim, and not by requests without one", async () => {
    const coordinator = newCoordinator();
    await coordinator.acquire(ceiling, "token");
    expect(await alarmOf(coordinator)).toBeNull();
    await take(coordinator);
    expect(await alarmOf(coordinator)).toBe(Date.now() + daySeconds * 1000);
    const first = await alarmOf(coordinator);
    advanceClock(60);
    await take(coordinator, { key: "another" });
    expect(await alarmOf(coordinator)).toBe(first);
    await evictDurableObject(coordinator);
    await take(coordinator, { key: "a third" });
    expect(await alarmOf(coordinator)).toBe(first);
  });

  it("keeps a key for at least 30 days, then forgets it, and rests when nothing is left", async () => {
    const coordinator = newCoordinator();
    await take(coordinator);
    await complete(coordinator, "the answer");
    advanceClock(30 * daySeconds);
    await runDurableObjectAlarm(coordinator);
    expect(await claim(coordinator)).toEqual({ state: "replay", answer: "the answer" });
    await take(coordinator, { key: "younger" });
    expect(await alarmOf(coordinator)).toBe(Date.now() + daySeconds * 1000);

    advanceClock((claimLimits.keptDays - 30) * daySeconds);
    await runDurableObjectAlarm(coordinator);
    expect(await claimsOf(coordinator)).toHaveLength(2);
    advanceClock(1);
    await runDurableObjectAlarm(coordinator);
    expect(await claimsOf(coordinator)).toEqual([{ key: "younger" }]);
    expect((await claim(coordinator)).state).toBe("fresh");

    advanceClock(2 * claimLimits.keptDays * daySeconds);
    await runDurableObjectAlarm(coordinator);
    expect(await claimsOf(coordinator)).toEqual([]);
    expect(await alarmOf(coordinator)).toBeNull();
    await take(coordinator);
    expect(await alarmOf(coordinator)).toBe(Date.now() + daySeconds * 1000);
  });
});

describe("that is erased", () => {
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

  it("knows no token, and what it counted just before reaches no disk", async () => {
    const coordinator = await erased();
    await persisted();
    expect(await coordinator.lastUses()).toEqual({});
    expect(await tablesOf(coordinator)).toEqual([]);
  });

  it("counts a request with a key and gives it no claim", async () => {
    const coordinator = await erased();
    expect(await coordinator.acquire(ceiling, "token", request())).toMatchObject({
      outcome: "counted",
      claim: { state: "none" },
    });
  });

  it.each<[string, (coordinator: Coordinator, holder: string) => unknown]>([
    ["completed", (coordinator) => complete(coordinator, "{}")],
    ["given back", (coordinator, holder) => coordinator.release("key", holder)],
  ])("resumes who waits for a claim that is %s, without a claim", async (_, end) => {
    const coordinator = newCoordinator();
    const holder = await take(coordinator);
    const waiting = claim(coordinator);
    await coordinator.erase();
    await end(coordinator, holder);
    expect(await waiting).toEqual({ state: "none" });
    expect(await tablesOf(coordinator)).toEqual([]);
  });

  it("has no answers to forget", async () => {
    const coordinator = await erased();
    await coordinator.forgetAnswers("a text");
    expect(await tablesOf(coordinator)).toEqual([]);
  });
});
