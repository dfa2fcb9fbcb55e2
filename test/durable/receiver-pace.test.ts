import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { advanceClock, startClock, stopClock } from "../support/clock.ts";

beforeEach(() => stopClock());
afterEach(startClock);

const newPace = () => env.RECEIVER_PACE.getByName(crypto.randomUUID());

it("gives 50 places a second, at most 40 of them to one organization", async () => {
  const pace = newPace();
  expect((await pace.take({ a: 30 })).granted).toEqual({ a: 30 });
  expect((await pace.take({ a: 30, b: 30 })).granted).toEqual({ a: 10, b: 10 });
  expect((await pace.take({ a: 1, c: 1 })).granted).toEqual({ a: 0, c: 0 });
  advanceClock(1);
  expect((await pace.take({ a: 50, c: 1 })).granted).toEqual({ a: 40, c: 1 });
});

it("gives no more within any second, wherever it begins", async () => {
  const pace = newPace();
  advanceClock(0.9);
  await pace.take({ a: 40, b: 10 });
  advanceClock(0.999);
  expect((await pace.take({ a: 1, c: 1 })).granted).toEqual({ a: 0, c: 0 });
  advanceClock(0.001);
  expect((await pace.take({ a: 1, c: 1 })).granted).toEqual({ a: 1, c: 1 });
});

it("spreads those that wait over the seconds that they need, 30 at most", async () => {
  const pace = newPace();
  const waits = [];
  for (const count of [40, 49, 50, 5_000]) waits.push((await pace.take({ a: count })).waitSeconds);
  expect(waits).toEqual([1, 1, 2, 30]);
});

it("is each host's own", async () => {
  await newPace().take({ a: 40 });
  expect((await newPace().take({ a: 40 })).granted).toEqual({ a: 40 });
});
