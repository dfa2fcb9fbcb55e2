import { vi } from "vitest";

/** Stops the clock of the Worker and its Durable Objects at a moment of a minute far from its end. Timers go on. */
export function stopClock(at = "2026-03-01T12:00:10.000Z"): void {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(at) });
}

export const advanceClock = (seconds: number): void => {
  vi.setSystemTime(Date.now() + seconds * 1000);
};

export const startClock = (): void => {
  vi.useRealTimers();
};
