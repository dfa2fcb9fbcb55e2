import { getEventListeners } from "node:events";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isWaitedFor, sleep } from "./retry.ts";

const _answer = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers });

describe("the wait before a retry", () => {
  it("is at most one minute, so a longer Retry-After is not waited for", () => {
    expect([undefined, 0, 60_000, 60_001].map(isWaitedFor)).toEqual([true, true, true, false]);
  });

  it("is capped at the longest delay that setTimeout supports", () => {
    const timers = vi.spyOn(globalThis, "setTimeout").mockReturnValue(0 as never);
    for (const ms of [2 ** 31 - 1, 2 ** 31, Number.POSITIVE_INFINITY]) void sleep(ms);
    expect(timers.mock.calls.map(([, ms]) => ms)).toEqual(Array(3).fill(2 ** 31 - 1));
    timers.mockRestore();
  });

  it("ends as soon as its signal aborts, with the signal's reason", async () => {
    const reason = new Error("the user left");
    await expect(sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 1);
    await expect(sleep(60_000, controller.signal)).rejects.toBe(reason);
  });

  it("cleans up its timer and its signal listener", async () => {
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
});
