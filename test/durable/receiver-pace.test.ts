import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { advanceClock, startClock, stopClock } from "../support/clock.ts";

beforeEach(() => stopClock());
afterEach(startClock);

const newPace = () => env.RECEIVER_PACE.getByName(crypto.randomUUID());

it("the receiver pace grants a host at most 50 POSTs per second, at most 40 of them to one organization", async () => {
  const pace = newPace();
  expect((await pace.take({ a: 30 })).granted).toEqual({ a: 30 });
  expect((await pace.take({ a: 30, b: 30 })).granted).toEqual({ a: 10, b: 10 });
  expect((await pace.take({ a: 1, c: 1 })).granted).toEqual({ a: 0, c: 0 });
  advanceClock(1);
  expect((await pace.take({ a: 50, c: 1 })).granted).toEqual({ a: 33, c: 1 });
});

it("the receiver pace stays within the limit in any one-second window", async () => {
  const pace = newPace();
  advanceClock(0.9);
  await pace.take({ a: 40, b: 10 });
  advanceClock(0.999);
  expect((await pace.take({ a: 1, c: 1 })).granted).toEqual({ a: 0, c: 0 });
  advanceClock(0.001);
  expect((await pace.take({ a: 1, c: 1 })).granted).toEqual({ a: 1, c: 1 });
});

it("the receiver pace returns how long to wait for the remaining POSTs, up to 30 seconds", async () => {
  const pace = newPace();
  const waits = [];
  for (const count of [40, 40, 41, 5_000]) waits.push((await pace.take({ a: count })).waitSeconds.a);
  expect(waits).toEqual([1, 1, 3, 30]);
});

it("the receiver pace shares each second among all waiting organizations [N15]", async () => {
  const pace = newPace();
  await pace.take({ a: 500, b: 500 });
  expect((await pace.take({ c: 20, d: 1 })).granted).toEqual({ c: 0, d: 0 });
  const given = { a: 0, b: 0, c: 0, d: 0 };
  for (let second = 0; second < 2; second += 1) {
    advanceClock(1);
    for (const id of ["a", "b", "c", "d"] as const) {
      const left = { a: 500, b: 500, c: 20, d: 1 }[id] - given[id];
      given[id] += (await pace.take({ [id]: left })).granted[id] ?? 0;
    }
  }
  expect(given).toMatchObject({ c: 20, d: 1 });
  expect(given.a + given.b).toBe(79);
  expect(Math.min(given.a, given.b)).toBeGreaterThanOrEqual(24);
});

it("the receiver pace reserves nothing for an organization that has stopped asking", async () => {
  const pace = newPace();
  await pace.take({ a: 60, b: 60 });
  advanceClock(10);
  expect((await pace.take({ a: 60 })).granted).toEqual({ a: 40 });
});

it("the receiver pace grants one POST per organization if more organizations wait than there are POSTs", async () => {
  const pace = newPace();
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`o${index}`, 1]));
  await pace.take({ a: 40, b: 10 });
  await pace.take(many);
  advanceClock(1);
  const first = await pace.take({ a: 40, ...many });
  expect(first.granted.a).toBeLessThanOrEqual(1);
  advanceClock(1);
  const left = Object.keys(many).filter((id) => first.granted[id] === 0);
  const second = await pace.take(Object.fromEntries(left.map((id) => [id, 1])));
  expect(left.filter((id) => second.granted[id] === 0)).toEqual([]);
});

it("the receiver pace limits each host separately", async () => {
  await newPace().take({ a: 40 });
  expect((await newPace().take({ a: 40 })).granted).toEqual({ a: 40 });
});
