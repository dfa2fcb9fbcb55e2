/** Limits of outbound webhooks (contract W11-W27). */
export const webhookLimits = {
  /** Endpoints per workspace. The transaction of a change writes its event once for each of them. */
  endpoints: 50,
  /** Endpoints with the same host. */
  endpointsOfHost: 10,
  /** Characters in an endpoint's address, as submitted. */
  urlCharacters: 2_000,
  /** An endpoint's custom headers, and their lengths. */
  headers: 5,
  headerNameCharacters: 64,
  headerValueCharacters: 1_024,
  /** One deadline for the connection, headers and body of an attempt. */
  attemptDeadlineMs: 5_000,
  /** The longest delay after attempt 1, 2, …, each with full jitter. One more attempt follows the last delay. */
  retryDelaysSeconds: [10, 30, 120, 600, 3_600, 21_600, 86_400],
  /** The longest delay that a receiver's Retry-After can cause; the same as the longest delay of the schedule. */
  retryAfterMaxSeconds: 86_400,
  /** Bytes of a response, decompressed, that are read before the connection is dropped. */
  answerReadBytes: 16 * 1024,
  /** The newest attempts that the log keeps per delivery. Replays add to the scheduled attempts. */
  keptAttempts: 20,
  /** How much of a response the delivery log keeps. */
  answerKeptBytes: 2 * 1024,
  /** After this many dead deliveries in a row, the owner is warned, then the endpoint is disabled. */
  deadDeliveriesToWarn: 10,
  deadDeliveriesToDisable: 20,
  /** How long the previous secret stays valid after a rotation: by default, and at most. */
  secretOverlapHours: 24,
  secretOverlapMaxHours: 30 * 24,
  secretBytes: 32,
  /** How long events, deliveries and attempts are kept. */
  keptDays: 30,
} as const;

/** How the delivery consumer shares its time and connections (docs/design/webhooks.md). */
export const sendingLimits = {
  /** A leased delivery belongs to its message for this long; then the sweep may lease it again. */
  leaseSeconds: 60,
  /** An attempt starts only with this much of its lease left, for the address check, the attempt and the write. */
  leaseLeftSeconds: 15,
  /** Deliveries per lease statement; its result is about 60 KB. */
  leaseDeliveries: 500,
  /** Lease statements per sweep. The next minute's sweep leases the rest. */
  leaseRounds: 20,
  /** Deliveries of one endpoint, and of one workspace, that a sweep puts on the fast queue. */
  fastOfEndpoint: 20,
  fastOfOrganization: 100,
  /** The maximum for `sendBatch`. 100 messages take 10 KB of the allowed 256 KB. */
  queueBatchMessages: 100,
  /** POSTs to one host that start per second, across all workspaces; the rest wait. */
  postsToHostPerSecond: 50,
  /** One workspace's share. Many workspaces may send to the same host. */
  postsToHostOfOrganization: 40,
  /** The longest wait before a delivery asks for its host's pace again; shorter than a lease. */
  paceWaitSeconds: 30,
  /** Outgoing connections that the platform allows per invocation. */
  connections: 6,
  /** After this time, a batch starts no more attempts, so that hanging receivers do not delay other deliveries. */
  fairRunMs: 1_000,
  /** If an attempt takes longer, the batch's other deliveries to its endpoint go to the slow queue. */
  slowAttemptMs: 250,
  /**
   * An endpoint hangs if an attempt has run this long when its batch ends. The limit is well above
   * `slowAttemptMs`, so that a receiver that is slow once does not queue with those that never respond.
   */
  hangingAttemptMs: 750,
  /** Failed attempts in a row after which an endpoint's deliveries move to the failing queue. */
  failuresToFailingQueue: 3,
  hangingRememberedMs: 30_000,
  rememberedHangingEndpoints: 1_000,
  /** The retry delay of a message after a failure on our side. */
  redeliverySeconds: 5,
} as const;

/** How many deliveries are replayed at once (contract S13). */
export const replayLimits = {
  /** Per statement, which keeps the database busy for about 50 ms. */
  roundDeliveries: 500,
  /** Per call, which takes about four seconds. The next call continues. */
  callDeliveries: 20_000,
  /** Per call for callers that show progress: the command line and the page. */
  shownDeliveries: 2_000,
  /** How many become due per second, so that one minute's deliveries are sent within a second or two. */
  perSecond: 20,
} as const;

/** The largest counts in an endpoint's health; a count at its limit means "or more". */
export const healthLimits = {
  /** The outcomes of one day. */
  ofDay: 10_000,
  /** Pending and dead deliveries. */
  waiting: 1_000,
} as const;

/** How much a delivery search without a matching index reads: 2,000 rows, in about 2 ms of the database. */
export const searchLimits = {
  /** Deliveries, each with its index entry and last attempt. */
  deliveries: 450,
  /** Events of one record, each with a delivery. */
  eventsOfSubject: 240,
} as const;
