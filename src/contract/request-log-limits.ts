/** What an organization's coordinator keeps about its requests (contract U1-U6). */
export const requestLogLimits = {
  keptDays: 7,
  keptRequests: 10_000,
  errorCharacters: 300,
  /** How long an isolate holds requests before it sends them: a crash loses no more. */
  holdMs: 1_000,
  /** Requests in one call to the coordinator: some 100 KB. */
  perCall: 400,
  usageDays: { min: 1, max: 60, default: 30 },
} as const;
