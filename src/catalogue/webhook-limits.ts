/** Every number of outbound webhooks, with its unit last (specification 6 and 8, CONTRACT 6). */
export const webhookLimits = {
  /** One deadline for connect, headers and body of an attempt. */
  attemptDeadlineMs: 5_000,
  /** The first attempt and one after each delay. */
  attempts: 8,
  /** The delay after attempt 1, 2, … 7: 10 s, 30 s, 2 min, 10 min, 1 h, 6 h, 24 h. Each has full jitter. */
  retryDelaysSeconds: [10, 30, 120, 600, 3_600, 21_600, 86_400],
  /** A receiver that asks for more by Retry-After gets this much: the longest delay of the schedule. */
  retryAfterMostSeconds: 86_400,
  /** How much of an answer is read, inflated, before the connection is given up. */
  answerReadBytes: 16 * 1024,
  /** How much of it the delivery log keeps. */
  answerKeptBytes: 2 * 1024,
  /** Dead deliveries in a row that disable an endpoint. */
  deadDeliveriesToDisable: 20,
  /** How long the previous secret stays valid after a rotation, unless the admin says otherwise. */
  secretOverlapHours: 24,
  secretBytes: 32,
  /** How long events, deliveries and attempts are kept. */
  keptDays: 30,
} as const;
