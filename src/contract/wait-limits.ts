/** Limits on long-polling the event feed (contract F6). */
export const waitLimits = {
  /** Many proxies and clients time out after 30 seconds, so the wait must be shorter. */
  seconds: { min: 0, max: 25 },
  /**
   * The interval between polls. An event is returned within 2.5 s of its commit, which leaves time for the poll itself,
   * and for a second poll if the database is slow.
   */
  lookMilliseconds: 1_500,
  /** Waiting requests per token. Each of them polls the database. */
  requestsOfToken: 5,
  /** The Retry-After of a request that finds all slots taken. */
  retrySeconds: 1,
} as const;
