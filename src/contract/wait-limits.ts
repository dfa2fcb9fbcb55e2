/** How a request waits for the next event of the feed (contract F6). */
export const waitLimits = {
  /** Longer than this, proxies and clients give up: many of them after 30 seconds. */
  seconds: { min: 0, max: 25 },
  /**
   * Between two looks. An event is returned within 2.5 s of its commit: the rest is for the look itself, and for the
   * second one of a database that is slow.
   */
  lookMilliseconds: 1_500,
  /** Each costs the database a look at that pace. */
  requestsOfToken: 5,
  /** One of them may have ended by then. */
  retrySeconds: 1,
} as const;
