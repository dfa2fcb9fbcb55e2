export class TimedOut extends Error {}

/** Settles like `work`, or rejects after the timeout. The work itself continues. */
export async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimedOut(`not done within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Sending the e-mail and all three attempts to record it must end within the claim's lease. */
const triesMs = [4000, 4000, 4000];
const pauseMs = 250;

/**
 * Retries work whose failure would cause an e-mail to be sent twice. Settles like the first successful attempt, or
 * rejects like the last one. An attempt whose response was lost may have taken effect.
 */
export async function retry<T>(work: () => Promise<T>): Promise<T> {
  let failure: unknown;
  for (const [tried, timeLimitMs] of triesMs.entries()) {
    if (tried > 0) await scheduler.wait(pauseMs);
    try {
      return await withTimeout(timeLimitMs, work());
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
