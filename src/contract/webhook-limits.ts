/** Every number of outbound webhooks, with its unit last (contract W11-W27). */
export const webhookLimits = {
  /** Endpoints of one workspace. The transaction of a change writes its event once for each of them. */
  endpoints: 50,
  /** One host's share of them. */
  endpointsOfHost: 10,
  /** Characters of an endpoint's address, as it was sent. */
  urlCharacters: 2_000,
  /** An endpoint's own headers, and their lengths. */
  headers: 5,
  headerNameCharacters: 64,
  headerValueCharacters: 1_024,
  /** One deadline for connect, headers and body of an attempt. */
  attemptDeadlineMs: 5_000,
  /** The longest delay after attempt 1, 2, …, each with full jitter. One more attempt follows the last delay. */
  retryDelaysSeconds: [10, 30, 120, 600, 3_600, 21_600, 86_400],
  /** A receiver whose Retry-After asks for more gets this much: the longest delay of the schedule. */
  retryAfterMaxSeconds: 86_400,
  /** How much of a response is read, inflated, before the connection is dropped. */
  answerReadBytes: 16 * 1024,
  /** The newest attempts of a delivery that the log keeps; replays add to those of the schedule. */
  keptAttempts: 20,
  /** How much of the response the delivery log keeps. */
  answerKeptBytes: 2 * 1024,
  /** After this many dead deliveries in a row the owner is warned, then the endpoint is disabled. */
  deadDeliveriesToWarn: 10,
  deadDeliveriesToDisable: 20,
  /** How long the previous secret stays valid after a rotation, unless the admin says otherwise. */
  secretOverlapHours: 24,
  secretOverlapMaxHours: 30 * 24,
  secretBytes: 32,
  /** How long events, deliveries and attempts are kept. */
  keptDays: 30,
} as const;

/** How the consumer of deliveries shares its time and connections (docs/design/webhooks.md). */
export const sendingLimits = {
  /** A leased delivery belongs to its message for this long; then the sweep may lease it again. */
  leaseSeconds: 60,
  /** An attempt starts only if its lease lasts longer than the attempt, the address check and the write can take. */
  leaseLeftSeconds: 15,
  /** Deliveries per lease statement, whose result is then some 60 KB. */
  leaseDeliveries: 500,
  /** Lease statements of one sweep; the sweep of the next minute finds what is left. */
  leaseRounds: 20,
  /** Deliveries of one endpoint, and of one workspace, that one sweep puts on the fast queue. */
  fastOfEndpoint: 20,
  fastOfOrganization: 100,
  /** The most that `sendBatch` accepts; 100 messages are 10 KB of its 256. */
  queueBatchMessages: 100,
  /** POSTs that start in a second at one host, over all workspaces; the rest wait their turn. */
  postsToHostPerSecond: 50,
  /** One workspace's share of them: many workspaces share hosts, and each gets a turn. */
  postsToHostOfOrganization: 40,
  /** The longest wait before a delivery asks its host's pace again; it fits into a lease. */
  placeWaitSeconds: 30,
  /** Outgoing connections that the platform gives one invocation. */
  connections: 6,
  /** A batch starts no attempt after this time, so that hanging receivers do not delay other deliveries. */
  fairRunMs: 1_000,
  /** If an attempt takes longer, its endpoint's other deliveries of the batch go to the slow queue. */
  slowAttemptMs: 250,
  /**
   * An endpoint hangs if an attempt has run this long when its batch ends. The time is well above `slowAttemptMs`, so
   * that a receiver that is slow once does not wait for those that never respond.
   */
  hangingAttemptMs: 750,
  /** Failed attempts in a row after which an endpoint's deliveries move to the failing queue. */
  failuresToFailingQueue: 3,
  hangingRememberedMs: 30_000,
  rememberedHangingEndpoints: 1_000,
  /** How long a message waits after our own failure sent it back to its queue. */
  redeliverySeconds: 5,
} as const;

/** How many deliveries are replayed at once (contract S13). */
export const replayLimits = {
  /** Per statement, which occupies the database for some 50 ms. */
  roundDeliveries: 500,
  /** Per call, some four seconds; the next call continues. */
  callDeliveries: 20_000,
  /** The same for callers that show their progress: the command line and the page. */
  shownDeliveries: 2_000,
  /** How many fall due in a second: those that one minute finds are sent in a second or two. */
  perSecond: 20,
} as const;

/** The highest counts of an endpoint's health: a larger one shows as its limit, which means "or more". */
export const healthLimits = {
  /** The outcomes of a day. */
  ofDay: 10_000,
  /** What waits, and what was given up. */
  waiting: 1_000,
} as const;

/** What a search of deliveries reads if no single index serves it: together 2,000 rows, some 2 ms of the database. */
export const searchLimits = {
  /** Deliveries, each with its entry in an index and its last attempt. */
  deliveries: 450,
  /** Events of one record, each with a delivery. */
  eventsOfSubject: 240,
} as const;
