/** Limits for the request log and daily usage (contract U1-U6). */
export const requestLogLimits = {
  keptDays: 7,
  keptRequests: 10_000,
  errorCharacters: 300,
  /** How long an isolate buffers requests before sending them. A crash loses at most this much. */
  holdMs: 1_000,
  /** Requests per call to the coordinator, about 100 KB. */
  perCall: 400,
  usageDays: { min: 1, max: 60, default: 30 },
} as const;
