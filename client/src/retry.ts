/**
 * Decides which failed attempts to retry. Every write has an Idempotency-Key, so a repeated request does its work once.
 */

const firstDelayMs = 500;
const longestDelayMs = 8_000;

/** The rate limit's window is a minute. A longer hint, such as for the daily e-mail limit, is left to the caller. */
const longestHintMs = 60_000;

/** The service sets X-Should-Retry. A response without it comes from a proxy. */
export function mayRetry({ status, headers }: Response): boolean {
  const told = headers.get("x-should-retry");
  return told === null ? status === 408 || status === 429 || status >= 500 : told === "true";
}

/** Whether a call waits for this Retry-After, or throws its error. */
export const isWaitedFor = (hintMs = 0): boolean => hintMs <= longestHintMs;

/** Exponential backoff with full jitter, on top of the service's Retry-After. */
export function delayMs(retry: number, hintMs: number | undefined, random: () => number): number {
  const bound = Math.min(longestDelayMs, firstDelayMs * 2 ** retry);
  return (hintMs ?? 0) + random() * bound;
}

/** `Retry-After`, in seconds or as a date. */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

/** The longest timer. A longer one fires at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Resolves after `ms`, or rejects with the signal's reason when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      },
      Math.min(ms, longestTimerMs),
    );
    signal?.addEventListener("abort", abort, { once: true });
  });
}
