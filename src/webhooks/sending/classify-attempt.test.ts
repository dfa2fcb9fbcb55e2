import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AttemptOutcome, classifyAttempt } from "./classify-attempt.ts";

const now = new Date("2026-01-31T09:30:00.000Z");
const answer = (status: number, retryAfter: string | null = null): AttemptOutcome => ({
  kind: "answer",
  status,
  retryAfter,
  body: "",
  latencyMs: 12,
});
const longest = () => 1 - Number.EPSILON;
const shortest = () => 0;
const waitSeconds = (outcome: AttemptOutcome, attempt = 1, random = shortest) => {
  const { nextAttemptAt } = classifyAttempt(outcome, attempt, now, random);
  return (Date.parse(nextAttemptAt ?? "") - now.getTime()) / 1000;
};

/** The longest delay after attempt 1, 2, …, in seconds. */
const schedule = [10, 30, 2 * 60, 10 * 60, 3600, 6 * 3600, 24 * 3600];
const lastAttempt = schedule.length + 1;

describe("a response [W16]", () => {
  it.each([200, 201, 202, 204, 299])("%i marks the delivery as delivered", (status) => {
    expect(classifyAttempt(answer(status), 1, now, longest)).toEqual({
      status: "delivered",
      nextAttemptAt: null,
      errorClass: null,
    });
  });

  it.each([400, 401, 403, 404, 409, 410, 422, 451, 499])(
    "%i marks the delivery as dead after one attempt",
    (status) => {
      expect(classifyAttempt(answer(status), 1, now, longest)).toEqual({
        status: "dead",
        nextAttemptAt: null,
        errorClass: "client_error",
      });
    },
  );

  it.each([
    [answer(301), "redirect"],
    [answer(302), "redirect"],
    [answer(304), "redirect"],
    [answer(307), "redirect"],
    [answer(408), "client_error"],
    [answer(429), "client_error"],
    [answer(500), "server_error"],
    [answer(503), "server_error"],
    [answer(530), "server_error"],
    [{ kind: "timeout", latencyMs: 5000 }, "timeout"],
    [{ kind: "network_error", latencyMs: 3 }, "network_error"],
    [{ kind: "blocked_address", latencyMs: 0 }, "blocked_address"],
    [{ kind: "unresolved_address", latencyMs: 0 }, "unresolved_address"],
  ] as const)(
    "%j is retried as %s, and marks the delivery as dead after the last attempt",
    (outcome, errorClass) => {
      expect(classifyAttempt(outcome, 1, now, shortest)).toEqual({
        status: "pending",
        nextAttemptAt: now.toISOString(),
        errorClass,
      });
      expect(classifyAttempt(outcome, lastAttempt - 1, now, shortest)).toMatchObject({
        status: "pending",
        errorClass,
      });
      expect(classifyAttempt(outcome, lastAttempt, now, shortest)).toEqual({
        status: "dead",
        nextAttemptAt: null,
        errorClass,
      });
    },
  );
});

describe("the retry schedule [W18]", () => {
  it.each(schedule.map((seconds, index) => [index + 1, seconds] as const))(
    "waits a random time after attempt %i, up to %i seconds",
    (attempt, seconds) => {
      expect(waitSeconds(answer(500), attempt, shortest)).toBe(0);
      expect(waitSeconds(answer(500), attempt, () => 0.5)).toBe(seconds / 2);
      expect(waitSeconds(answer(500), attempt, longest)).toBe(seconds);
    },
  );
});

describe("Retry-After [W19]", () => {
  it.each([302, 408, 429, 500, 503, 599])(
    "on a %i postpones the next attempt if it is longer than the jittered delay",
    (status) => {
      expect(waitSeconds(answer(status, "120"))).toBe(120);
      expect(waitSeconds(answer(status, "5"), 1, () => 0.8)).toBe(8);
      expect(waitSeconds(answer(status, "Sat, 31 Jan 2026 09:31:30 GMT"))).toBe(90);
      expect(waitSeconds(answer(status, "Saturday, 31-Jan-26 09:31:30 GMT"))).toBe(90);
      expect(waitSeconds(answer(status, "Sat Jan 31 09:31:30 2026"))).toBe(90);
      expect(waitSeconds(answer(status, "Sun Feb  1 08:30:00 2026"))).toBe(23 * 3600);
    },
  );

  it.each(["86401", "999999999999", "9".repeat(400), "Fri, 31 Jan 2031 09:30:00 GMT"])(
    "%s is capped at 24 hours",
    (hint) => {
      expect(waitSeconds(answer(429, hint))).toBe(24 * 3600);
    },
  );

  it.each([
    ["60.2", 61],
    ["60, 120", 120],
    ["120,60.5", 120],
  ])("%j means %i seconds: fractions are rounded up, and the largest value is used", (hint, seconds) => {
    expect(waitSeconds(answer(503, hint))).toBe(seconds);
  });

  it.each([
    null,
    "",
    "-1",
    "+5",
    "1.5.1",
    "1e3",
    "0x10",
    "soon",
    "2026-01-31T10:30:00Z",
    "31 Jan 2026",
    "Xxx, 99 Xxx 2026 99:99:99 GMT",
    "Sat, 31 Jan 2026 09:29:00 GMT",
  ])("%j is ignored", (hint) => {
    expect(waitSeconds(answer(503, hint), 1, () => 0.5)).toBe(5);
  });

  it("does not cause another attempt after the last", () => {
    expect(classifyAttempt(answer(429, "60"), lastAttempt, now, shortest).status).toBe("dead");
  });
});

describe("any response", () => {
  const anyOutcome: fc.Arbitrary<AttemptOutcome> = fc.oneof(
    fc.record({
      kind: fc.constant("answer" as const),
      status: fc.integer({ min: 100, max: 999 }),
      retryAfter: fc.option(fc.oneof(fc.string(), fc.integer().map(String), fc.date().map(String))),
      body: fc.string(),
      latencyMs: fc.nat(),
    }),
    fc.record({
      kind: fc.constantFrom(
        "timeout" as const,
        "network_error" as const,
        "blocked_address" as const,
        "unresolved_address" as const,
      ),
      latencyMs: fc.nat(),
    }),
  );
  const anyRandom = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  it("schedules the next attempt within 24 hours if and only if the delivery is pending", () => {
    fc.assert(
      fc.property(anyOutcome, fc.integer({ min: 1, max: 8 }), anyRandom, (outcome, attempt, random) => {
        const verdict = classifyAttempt(outcome, attempt, now, () => random);
        expect(verdict.nextAttemptAt !== null).toBe(verdict.status === "pending");
        expect(verdict.errorClass === null).toBe(verdict.status === "delivered");
        if (verdict.nextAttemptAt === null) return;
        expect(new Date(verdict.nextAttemptAt).toISOString()).toBe(verdict.nextAttemptAt);
        const waitMs = Date.parse(verdict.nextAttemptAt) - now.getTime();
        expect(waitMs).toBeGreaterThanOrEqual(0);
        expect(waitMs).toBeLessThanOrEqual(24 * 3600 * 1000);
      }),
    );
  });
});
