/** Every limit of specification 8, with its unit last; test/database/limits.test.ts holds the database to them. */
export const limits = {
  pageSizeRecords: { min: 1, max: 200, default: 50 },
  /** Of JSON: where the next record goes beyond it, a page ends early. */
  pageBytes: 4 * 1024 * 1024,
  /** Of the JSON of a record's own records, on a page of more than 50: 200 of them fill a page. */
  pageChildrenBytes: 20_000,
  legacyClientListRecords: 500,
  titleCharacters: 200,
  embedUrlCharacters: 2000,
  /** What a project includes, and what one override adds to it. */
  revisionRounds: { min: 0, max: 1000 },
  overrideRounds: { min: 1, max: 1000 },
  /** Of one time entry. A start and an end a few seconds apart count as the least. */
  entryHours: { min: 0.01, max: 24 },
  taxRatePercent: { min: 0, max: 100 },
  imageDecodedBytes: 10 * 1024 * 1024,
  ingestContentCharacters: 20_000,
  idempotencyKeyCharacters: 200,
  /** `svc_` and ten of 36 digits: enough to tell tokens apart, too little to guess one. */
  tokenPrefixCharacters: 14,
  rateWindowSeconds: 60,
  /** In which a form that is sent again is a second press of its button. */
  pressedAgainSeconds: 60,
  /** Ten megabytes in base64 are 13,981,016 characters; the rest is room for the other fields. */
  imageBodyBytes: 15 * 1024 * 1024,
  /** Of one invoice: its notes and the descriptions of its lines, as JSON carries them in UTF-8. */
  invoiceTextBytes: 64 * 1024,
  /**
   * The largest valid body without an image: an invoice of 200 lines with 1,000 characters each, escaped to 12 bytes.
   */
  bodyBytes: 3 * 1024 * 1024,
  /** A larger body is read only when its request is counted and has room: the extra trips cost less than the body. */
  smallBodyBytes: 64 * 1024,
  /** Of one organization in one isolate, which has 128 MB for all. */
  largeBodiesAtATime: 8,
  /** Answers 401 to one address in a minute; past it, what it brings is not looked at. */
  unknownTokensPerMinute: 300,
  /** Review mails and codes of one workspace to one address in a day (UTC): more is no review any more. */
  mailsToAddressPerDay: 20,
  /** Lines of an invoice, or milestones, that count as one record of the workspace's room. */
  partsOfRecord: 10,
  /** Of evidence, with its metadata: they count as one record more. */
  recordBytes: 5000,
  /** Of a plan's `storage_mb`. */
  bytesPerMegabyte: 1_000_000,
  /** Feedback binds to each, and a page shows them all: more is no review. */
  versionsPerDeliverable: 500,
  /** What D1 takes, and cannot be raised; the operator is mailed once past each of these shares. */
  databaseBytes: 10_000_000_000,
  databaseNoticePercents: { early: 70, late: 90 },
  /** Stripe documents no size of its events; a hundredth of this is usual. */
  processorEventBytes: 1024 * 1024,
} as const;

/** How the coordinator keeps idempotency claims (CONTRACT 4). */
export const claimLimits = {
  /** A holder that has not ended by then is taken for dead, and a retry takes its place. */
  leaseSeconds: 30,
  /** How long the same request waits for the first one before it is told to come back. */
  waitSeconds: 10,
  /** Kept at least 30 days; one more covers the daily rhythm of the purge. */
  keptDays: 31,
  /**
   * A longer answer is read back from its row when it is asked for again: 31 days of 96 KB each would fill the disk.
   */
  answerCharacters: 8 * 1024,
} as const;
