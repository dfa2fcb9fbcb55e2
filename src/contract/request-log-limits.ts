/** Limits of what an organization's coordinator stores about its requests (contract U1-U6). */
export const requestLogLimits = {
  keptDays: 7,
  keptRequests: 10_000,
  errorCharacters: 300,
  /** How long an isolate buffers requests before it sends them; a crash loses no more. */
  holdMs: 1_000,
  /** Requests per call to the coordinator, some 100 KB. */
  perCall: 400,
  usageDays: { min: 1, max: 60, default: 30 },
} as const;
