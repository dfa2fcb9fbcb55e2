import { webhookLimits } from "./webhook-limits.ts";

/** The retry schedule as text, for pages and documents (contract W18). */

const numbers = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const spelledOut = (count: number): string => numbers[count] ?? String(count);

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;
}

const delays = webhookLimits.retryDelaysSeconds;
const spanSeconds = delays.reduce((sum, delay) => sum + delay, 0);

export const deliveryAttempts = delays.length + 1;

export const retrySchedule = {
  /** `10 s`, `2 min`, `24 h`. */
  delays: delays.map(duration),
  retries: spelledOut(delays.length),
  attempts: spelledOut(deliveryAttempts),
  /** From the first attempt to the last, without jitter. */
  span: `${Math.round(spanSeconds / 3600)} hours`,
} as const;

export const joinWithAnd = (words: readonly string[]): string =>
  `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
