import { webhookLimits } from "../../src/contract/webhook-limits.ts";

/** The retry schedule in words: `10 s`, `2 min`, `24 h`. */
export const retryDelays: readonly string[] = webhookLimits.retryDelaysSeconds.map(duration);

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;
}

export const andList = (words: readonly string[]): string =>
  `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
