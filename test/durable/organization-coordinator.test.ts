import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClaimRequest } from "../../src/contract/claims.ts";
import { claimLimits } from "../../src/contract/limits.ts";
import type { Acquired } from "../../src/durable/organization-coordinator.ts";
import { advanceClock, startClock, stopClock } from "../support/clock.ts";

const newGate = () => env.ORGANIZATION_COORDINATOR.getByName(crypto.randomUUID());
type Gate = ReturnType<typeof newGate>;

const ceiling = 100;
const daySeconds = 86_400;

const request = (changes: Partial<ClaimRequest> = {}): ClaimRequest => ({
  key: "key",
  fingerprint: "this request",
  holder: crypto.randomUUID(),
  take: true,
  ...changes,
});

const claim = async (gate: Gate, changes?: Partial<ClaimRequest>) => {
  const admission = (await gate.acquire(ceiling, "token", request(changes))) as Acquired;
  if (admission.outcome === "limited") throw new Error("limited");
  return admission.claim;
};

const take = async (gate: Gate, changes?: Partial<ClaimRequest>): Promise<string> => {
  const holder = crypto.randomUUID();
  expect(await claim(gate, { holder, ...changes })).toEqual({ state: "fresh", waited: false });
  return holder;
};

const complete = (gate: Gate, answer: string, fingerprint = "this request", key = "key") =>
  gate.complete({ key, fingerprint, answer });

const claimsOf = (gate: Gate) =>
  runInDurableObject(gate, (_, state) =>
    state.storage.sql.exec("SELECT key FROM claim ORDER BY key").toArray(),
  );
const alarmOf = (gate: Gate) => runInDurableObject(gate, (_, state) => state.storage.getAlarm());
const persisted = () => new Promise((resolve) => setTimeout(resolve, 100));

describe("the window", () => {
  beforeEach(() => stopClock());
  afterEach(startClock);

  it("lets in the ceiling and no more until the minute ends", async () => {
    const gate = newGate();
    const outcomes = [];
    for (let turn = 0; turn < 4; turn++) outcomes.push(await gate.acquire(3, "token"));
    expect(outcomes).toMatchObject([
      ...Array(3).fill({ outcome: "counted", resetSeconds: 50, claim: { state: "none" } }),
      { outcome: "limited", resetSeconds: 50 },
    ]);
    advanceClock(49.999);
    expect(await gate.acquire(3, "token")).toMatchObject({ outcome: "limited", resetSeconds: 1 });
    advanceClock(0.001);
    expect(await gate.acquire(3, "token")).toMatchObject({ outcome: "counted", resetSeconds: 60 });
  });

  it("does not count what it turns away", async () => {
    const gate = newGate();
    for (let turn = 0; turn < 10; turn++) await gate.acquire(2, "token");
    expect((await gate.acquire(3, "token")).outcome).toBe("counted");
    expect((await gate.acquire(3, "token")).outcome).toBe("limited");
  });

  it("survives eviction", async () => {
    const gate = newGate();
    for (let turn = 0; turn < 3; turn++) await gate.acquire(3, "token");
    await persisted();
    await evictDurableObject(gate);
    expect(await gate.acquire(3, "token")).toMatchObject({ outcome: "limited", resetSeconds: 50 });
  });

  it("is not carried into the next minute by an eviction", async () => {
    const gate = newGate();
    await gate.acquire(1, "token");
    await persisted();
    advanceClock(50);
    await evictDurableObject(gate);
    expect((await gate.acquire(1, "token")).outcome).toBe("counted");
  });

  it("a request that is turned away claims nothing", async () => {
    const gate = newGate();
    await gate.acquire(1, "token");
    expect(await gate.acquire(1, "token", request())).toMatchObject({ outcome: "limited", resetSeconds: 50 });
    expect(await claimsOf(gate)).toEqual([]);
  });
});

describe("a claim", () => {
  it("is had by one of many callers; the others get its answer", async () => {
    const gate = newGate();
    await take(gate);
    const waiting = Promise.all(Array.from({ length: 49 }, () => claim(gate)));
    await complete(gate, "the answer");
    expect(await waiting).toEqual(Array(49).fill({ state: "replay", answer: "the answer" }));
  });

  it("of another request is refused, whether the first is open or done", async () => {
    const gate = newGate();
    await take(gate);
    expect(await claim(gate, { fingerprint: "another" })).toEqual({ state: "mismatch" });
    await complete(gate, "the answer");
    expect(await claim(gate, { fingerprint: "another" })).toEqual({ state: "mismatch" });
  });

  it("that is given back goes to exactly one of those who wait", async () => {
    const gate = newGate();
    const holder = await take(gate);
    const waiting = [1, 2, 3].map(() => claim(gate));
    await gate.release("key", holder);
    expect(await Promise.race(waiting)).toEqual({ state: "fresh", waited: true });
    await complete(gate, "the answer");
    const states = (await Promise.all(waiting)).map(({ state }) => state).sort();
    expect(states).toEqual(["fresh", "replay", "replay"]);
  });

  it("that is given back may go to another request", async () => {
    const gate = newGate();
    await gate.release("key", await take(gate));
    expect((await claim(gate, { fingerprint: "another" })).state).toBe("fresh");
  });

  it("is still its holder's when the call that took it is made again", async () => {
    const gate = newGate();
    const holder = await take(gate);
    expect(await claim(gate, { holder })).toEqual({ state: "fresh", waited: false });
    const waiting = claim(gate);
    await gate.release("key", holder);
    expect(await waiting).toEqual({ state: "fresh", waited: true });
  });

  it("that is done cannot be given back, nor completed by another request", async () => {
    const gate = newGate();
    const holder = await take(gate);
    await complete(gate, "the answer");
    await gate.release("key", holder);
    await complete(gate, "a forged answer", "another request");
    expect(await claim(gate)).toEqual({ state: "replay", answer: "the answer" });
  });

  it("is only looked at by a request that is refused anyway: it holds nothing", async () => {
    const gate = newGate();
    expect((await claim(gate, { take: false })).state).toBe("fresh");
    expect(await claimsOf(gate)).toEqual([]);
    await take(gate);
    await complete(gate, "the answer");
    expect(await claim(gate, { take: false })).toEqual({ state: "replay", answer: "the answer" });
  });

  it("survives eviction, open and done", async () => {
    const gate = newGate();
    await take(gate);
    await take(gate, { key: "done" });
    await complete(gate, "the answer", "this request", "done");
    await evictDurableObject(gate);
    expect(await claim(gate, { key: "done" })).toEqual({ state: "replay", answer: "the answer" });
    expect(await claim(gate, { fingerprint: "another" })).toEqual({ state: "mismatch" });
  });
});

describe("a lease", () => {
  beforeEach(() => stopClock());
  afterEach(startClock);

  it("that has ended lets the same request take the dead holder's place, and no other request", async () => {
    const gate = newGate();
    const dead = await take(gate);
    advanceClock(claimLimits.leaseSeconds);
    expect(await claim(gate, { fingerprint: "another" })).toEqual({ state: "mismatch" });
    const heir = await take(gate);
    expect(heir).not.toBe(dead);
    await gate.release("key", dead);
    expect(await claimsOf(gate)).toEqual([{ key: "key" }]);
    await complete(gate, "the answer");
    expect(await claim(gate)).toEqual({ state: "replay", answer: "the answer" });
  });
});

describe("the purge", () => {
  // Alarms ring by the true clock: one in its past would be moved.
  beforeEach(() => stopClock("2096-03-01T12:00:10.000Z"));
  afterEach(startClock);

  it("is set for a day after the first claim, and not by requests without one", async () => {
    const gate = newGate();
    await gate.acquire(ceiling, "token");
    expect(await alarmOf(gate)).toBeNull();
    await take(gate);
    expect(await alarmOf(gate)).toBe(Date.now() + daySeconds * 1000);
    const first = await alarmOf(gate);
    advanceClock(60);
    await take(gate, { key: "another" });
    expect(await alarmOf(gate)).toBe(first);
  });

  it("keeps a key for at least 30 days, then forgets it, and rests when nothing is left", async () => {
    const gate = newGate();
    await take(gate);
    await complete(gate, "the answer");
    advanceClock(30 * daySeconds);
    await runDurableObjectAlarm(gate);
    expect(await claim(gate)).toEqual({ state: "replay", answer: "the answer" });
    await take(gate, { key: "younger" });
    expect(await alarmOf(gate)).toBe(Date.now() + daySeconds * 1000);

    advanceClock(claimLimits.keptDays * daySeconds - 30 * daySeconds + 1);
    await runDurableObjectAlarm(gate);
    expect(await claimsOf(gate)).toEqual([{ key: "younger" }]);
    expect((await claim(gate)).state).toBe("fresh");

    advanceClock(2 * claimLimits.keptDays * daySeconds);
    await runDurableObjectAlarm(gate);
    expect(await claimsOf(gate)).toEqual([]);
    expect(await alarmOf(gate)).toBeNull();
    await take(gate);
    expect(await alarmOf(gate)).toBe(Date.now() + daySeconds * 1000);
  });
});
