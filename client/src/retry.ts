/** The decisions of a retry. Every write carries an Idempotency-Key, so a repeated request does its work once. */

const firstDelayMs = 500;
const longestDelayMs = 8_000;

/** The rate limit's window is a minute; a longer hint (the day's e-mails are used up) is for the caller. */
const longestHintMs = 60_000;

/** The service says so in a header; a response without it comes from a proxy, which does not know about the work. */
export function mayRetry({ status, headers }: Response): boolean {
  const told = headers.get("x-should-retry");
  return told === null ? status === 408 || status === 429 || status >= 500 : told === "true";
}

/** Whether a call waits as the hint says, or throws its error. */
export const isWaitedFor = (hintMs = 0): boolean => hintMs <= longestHintMs;

/** Exponential backoff with full jitter; the service's hint is the minimum, with the jitter on top. */
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

/** The longest timer; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Ends early, throwing the signal's reason, when the signal aborts. */
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
