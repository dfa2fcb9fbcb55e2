import { getEventListeners } from "node:events";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { delayMs, isWaitedFor, mayRetry, retryAfterMs, sleep } from "./retry.ts";

const answer = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers });

describe("whether to try again", () => {
  it.each([
    [answer(500, { "x-should-retry": "true" }), true],
    [answer(500, { "x-should-retry": "false" }), false],
    [answer(409, { "x-should-retry": "true", "retry-after": "1" }), true],
    [answer(409), false],
    [answer(404), false],
    [answer(408), true],
    [answer(429), true],
    [answer(502), true],
    [answer(429, { "x-should-retry": "true", "retry-after": "7200" }), true],
  ])("%o: %s", (given, expected) => expect(mayRetry(given)).toBe(expected));
});

describe("how long to wait", () => {
  it("doubles its bound up to 8 s, and takes any time below it", () => {
    const bounds = [0, 1, 2, 3, 4, 5, 20].map((retry) => delayMs(retry, undefined, () => 1));
    expect(bounds).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(delayMs(5, undefined, () => 0)).toBe(0);
    expect(delayMs(5, undefined, () => 0.25)).toBe(2000);
  });

  it("never is shorter than the hint", () => {
    expect(delayMs(0, 3000, () => 0)).toBe(3000);
    expect(delayMs(0, 3000, () => 1)).toBe(3500);
  });

  it("is a minute at most; a longer hint is the caller's, and a follower's", () => {
    expect([undefined, 0, 60_000, 60_001].map(isWaitedFor)).toEqual([true, true, true, false]);
  });

  it("has no timer that ends at once for being too long", () => {
    const timers = vi.spyOn(globalThis, "setTimeout").mockReturnValue(0 as never);
    for (const ms of [2 ** 31 - 1, 2 ** 31, Number.POSITIVE_INFINITY]) void sleep(ms);
    expect(timers.mock.calls.map(([, ms]) => ms)).toEqual(Array(3).fill(2 ** 31 - 1));
    timers.mockRestore();
  });

  it("ends with its signal, at once and by its reason", async () => {
    const reason = new Error("the user left");
    await expect(sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 1);
    await expect(sleep(60_000, controller.signal)).rejects.toBe(reason);
  });

  it("leaves nothing behind: no timer that keeps a process alive, no listener at a signal that lives on", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { signal } = new AbortController();
    const slept = sleep(1000, signal);
    await vi.advanceTimersByTimeAsync(1000);
    await slept;
    expect(getEventListeners(signal, "abort")).toEqual([]);
    const controller = new AbortController();
    const aborted = expect(sleep(1000, controller.signal)).rejects.toThrow();
    controller.abort();
    await aborted;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("takes the hint in seconds and as a date", () => {
    const nowMs = Date.parse("2026-01-31T09:30:00Z");
    const hint = (text: string) => retryAfterMs(new Headers({ "retry-after": text }), nowMs);
    expect(hint("7")).toBe(7000);
    expect(hint("Sat, 31 Jan 2026 09:30:05 GMT")).toBe(5000);
    expect(hint("Sat, 31 Jan 2026 09:29:00 GMT")).toBe(0);
    expect(hint("soon")).toBeUndefined();
    expect(retryAfterMs(new Headers(), nowMs)).toBeUndefined();
  });
});
