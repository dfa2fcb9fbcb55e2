/** How a request waits for the next event of the feed (contract F6). */
export const waitLimits = {
  /** Many proxies and clients give up after 30 seconds, so the wait stays below that. */
  seconds: { min: 0, max: 25 },
  /**
   * Between two polls. An event is returned within 2.5 s of its commit; the difference covers the poll itself
   * and a second one if the database is slow.
   */
  lookMilliseconds: 1_500,
  /** Waiting requests per token; each polls the database at that interval. */
  requestsOfToken: 5,
  /** The Retry-After of a request that finds no free slot. */
  retrySeconds: 1,
} as const;
