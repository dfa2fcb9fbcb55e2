import { vi } from "vitest";

/**
 * Stops the clock of the Worker and its Durable Objects, well before the end of a minute. Timers continue, and so do
 * alarms, which use the runtime's clock. The time is in the future because an alarm set relative to a past time would
 * fire at once, and again each time it is set.
 */
export function stopClock(at = "2066-03-01T12:00:10.000Z"): void {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(at) });
}

export const advanceClock = (seconds: number): void => {
  vi.setSystemTime(Date.now() + seconds * 1000);
};

export const startClock = (): void => {
  vi.useRealTimers();
};
