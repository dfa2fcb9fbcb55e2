import { setTimeout as wait } from "node:timers/promises";

/** Starts `perSecond` tasks a second, whether or not earlier ones have finished. Resolves when all have finished. */
export async function atSteadyRate(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  work: (number: number, dueMs: number) => Promise<void>,
): Promise<void> {
  const startedMs = performance.now();
  const started: Promise<void>[] = [];
  for (let number = 0; number < perSecond * seconds; number += 1) {
    const dueMs = startedMs + (number * 1000) / perSecond;
    const untilDueMs = dueMs - performance.now();
    if (untilDueMs > 0) await wait(untilDueMs);
    started.push(work(number, dueMs));
  }
  await Promise.all(started);
}
