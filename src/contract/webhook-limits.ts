/** Limits on outbound webhooks (contract W11-W27). */
export const webhookLimits = {
  /** Endpoints per workspace. The transaction that records an event also inserts a delivery for each of them. */
  endpoints: 50,
  endpointsOfHost: 10,
  /** The maximum length of an endpoint's address, as submitted. */
  urlCharacters: 2_000,
  /** How many custom headers an endpoint can have, and their lengths. */
  headers: 5,
  headerNameCharacters: 64,
  headerValueCharacters: 1_024,
  /** A single deadline for an attempt: connection, headers and body. */
  attemptDeadlineMs: 5_000,
  /**
   * The longest delay after attempt 1, 2, …. Each delay has full jitter, and the last is followed by one more attempt.
   */
  retryDelaysSeconds: [10, 30, 120, 600, 3_600, 21_600, 86_400],
  /** The longest delay that a receiver can request with Retry-After. Equals the longest delay in the schedule. */
  retryAfterMaxSeconds: 86_400,
  /** Decompressed bytes of a response that are read before the connection is closed. */
  answerReadBytes: 16 * 1024,
  /** Attempts per delivery that the log keeps, newest first. Replays can add to the scheduled attempts. */
  keptAttempts: 20,
  /** How many bytes of a response the delivery log keeps. */
  answerKeptBytes: 2 * 1024,
  /** Consecutive dead deliveries after which the owner is warned, then the endpoint is disabled. */
  deadDeliveriesToWarn: 10,
  deadDeliveriesToDisable: 20,
  /** How long the previous secret stays valid after a rotation: the default and the maximum. */
  secretOverlapHours: 24,
  secretOverlapMaxHours: 30 * 24,
  secretBytes: 32,
  /** How long events, deliveries and attempts are kept. */
  keptDays: 30,
} as const;

/** How the delivery consumer shares its time and connections (docs/design/webhooks.md). */
export const sendingLimits = {
  /** How long a leased delivery belongs to its message. After that, the sweep can lease it again. */
  leaseSeconds: 60,
  /** The minimum time left on a lease to start an attempt. Covers the address check, the attempt and the write. */
  leaseLeftSeconds: 15,
  /** Deliveries per lease statement, whose result is about 60 KB. */
  leaseDeliveries: 500,
  /** Lease statements per sweep. The sweep in the next minute continues. */
  leaseRounds: 20,
  /** Deliveries that a sweep puts on the fast queue, per endpoint and per workspace. */
  fastOfEndpoint: 20,
  fastOfOrganization: 100,
  /** The maximum for `sendBatch`. These messages take 10 KB of the allowed 256 KB. */
  queueBatchMessages: 100,
  /** POSTs to one host that start per second, across all workspaces. Further POSTs wait. */
  postsToHostPerSecond: 50,
  /** One workspace's share, because many workspaces may send to the same host. */
  postsToHostOfOrganization: 40,
  /** The longest wait before a delivery tries again to reserve a POST to its host. Shorter than a lease. */
  paceWaitSeconds: 30,
  /** Outgoing connections that the platform allows per invocation. */
  connections: 6,
  /** After this time, a batch does not start new attempts, so that hanging receivers do not delay other deliveries. */
  fairRunMs: 1_000,
  /** If an attempt takes longer, the batch's other deliveries to its endpoint go to the slow queue. */
  slowAttemptMs: 250,
  /**
   * An endpoint counts as hanging if its attempt has run this long when the batch ends. The limit is well above
   * `slowAttemptMs`, so that a receiver that is slow once does not share a queue with those that never respond.
   */
  hangingAttemptMs: 750,
  /** Consecutive failed attempts after which an endpoint's deliveries move to the failing queue. */
  failuresToFailingQueue: 3,
  hangingRememberedMs: 30_000,
  rememberedHangingEndpoints: 1_000,
  /** The retry delay for a message after a failure on our side. */
  redeliverySeconds: 5,
} as const;

/** How many deliveries are replayed at once (contract S13). */
export const replayLimits = {
  /** Deliveries per statement, which keeps the database busy for about 50 ms. */
  roundDeliveries: 500,
  /** Deliveries per call, which takes about four seconds. The next call continues. */
  callDeliveries: 20_000,
  /** Deliveries per call for callers that show progress: the command line and the page. */
  shownDeliveries: 2_000,
  /** How many replayed deliveries become due per second. A minute's worth is sent within a second or two. */
  perSecond: 20,
} as const;

/** The highest counts in an endpoint's health figures. A count at its limit means "or more". */
export const healthLimits = {
  /** One day's outcomes. */
  ofDay: 10_000,
  /** Pending and dead deliveries. */
  waiting: 1_000,
} as const;

/**
 * How much a delivery search without a matching index reads. These are 2,000 rows, which takes the database about 2 ms.
 */
export const searchLimits = {
  /** Deliveries, each with its index entry and last attempt. */
  deliveries: 450,
  /** A record's events, each paired with its delivery. */
  eventsOfSubject: 240,
} as const;
