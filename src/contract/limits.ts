/** The limits from docs/contract.md. test/database/limits.test.ts checks the database against them. */
export const limits = {
  pageSizeRecords: { min: 1, max: 200, default: 50 },
  /** Bytes of JSON per page. A page ends early if the next record would exceed the limit. */
  pageBytes: 4 * 1024 * 1024,
  /** JSON bytes of a record's children, on pages with more than 50 records. 200 such records fill a page. */
  pageChildrenBytes: 20_000,
  /**
   * How many records that match the first filter a page with two or more filters scans. Up to as many more are skipped
   * to find the start of the next page. Together, this takes the database about 2 ms.
   */
  scannedRecords: 1_000,
  /** How many index entries a page that is filtered only by bounds scans. Their rows are not read. */
  scannedEntries: 10_000,
  legacyClientListRecords: 500,
  titleCharacters: 200,
  /** The name of a record or a person. */
  nameCharacters: 200,
  externalIdCharacters: 200,
  /** A project's description, or an invoice's notes. */
  descriptionCharacters: 5000,
  lineDescriptionCharacters: 1000,
  /** The note or message of a version, send or time entry. */
  noteCharacters: 2000,
  /** A bounce report's text. */
  problemReasonCharacters: 500,
  /** RFC 5322 limits a line to 998 characters. */
  messageIdCharacters: 998,
  /** How long the ids of e-mails to members are kept, and bounce reports that match no e-mail. */
  mailReportDays: 30,
  /** How long each of several cells keeps such reports, because the e-mail may be recorded a moment later. */
  unknownReportHours: 1,
  /** The reason for adding revision rounds. */
  reasonCharacters: 1000,
  /** The address of an evidence author: the longest RFC 5321 e-mail address, or a handle. */
  authorAddressCharacters: 320,
  lineItemsOfInvoice: 200,
  milestonesOfProject: 100,
  /** The size and nesting depth of a connector's evidence metadata as JSON. */
  metadataBytes: 16 * 1024,
  metadataLevels: 32,
  embedUrlCharacters: 2000,
  /** The revision rounds included in a project, or added by one override. */
  revisionRounds: { min: 0, max: 1000 },
  overrideRounds: { min: 1, max: 1000 },
  /** The hours of one time entry. A duration of a few seconds counts as the minimum. */
  entryHours: { min: 0.01, max: 24 },
  taxRatePercent: { min: 0, max: 100 },
  imageDecodedBytes: 10 * 1024 * 1024,
  /** The longest side in pixels. This is WebP's maximum, and phone browsers can still decode such an image. */
  imageSidePixels: 16_384,
  imagePixels: 100_000_000,
  /** The limit is small because a workspace's logo is part of every page and e-mail. */
  logoDecodedBytes: 200_000,
  ingestContentCharacters: 20_000,
  idempotencyKeyCharacters: 200,
  /** `svc_` and ten hexadecimal digits: enough to tell tokens apart, too little to help an attacker guess the rest. */
  tokenPrefixCharacters: 14,
  rateWindowSeconds: 60,
  /**
   * The rate that an operator can set for a workspace, whatever its plan. The maximum is about what one coordinator can
   * handle.
   */
  ownRequestsPerMinute: { min: 1, max: 100_000 },
  /**
   * The number of requests per organization and isolate that may read data before they are counted. Further requests
   * are counted first.
   */
  uncountedReads: 8,
  /**
   * A form resubmitted within this time counts as a double click. Repeating an operation with the same key within this
   * time still shows the secret that it created.
   */
  doubleSubmitSeconds: 60,
  /** Ten megabytes are 13,981,016 base64 characters. The rest is for the other fields. */
  imageBodyBytes: 15 * 1024 * 1024,
  /** The combined size of an invoice's notes and line descriptions, as UTF-8 JSON. */
  invoiceTextBytes: 64 * 1024,
  /**
   * The largest valid body without an image: an invoice with 200 lines, each with 1,000 characters that take 12 bytes.
   */
  bodyBytes: 3 * 1024 * 1024,
  /** The nesting depth of a body's objects and arrays: twice that of `metadata`. */
  jsonLevels: 64,
  /** The length at which error messages truncate a field's path. No API field has a longer path. */
  echoedPathCharacters: 200,
  /** The maximum number of problems listed in a 400. */
  maxProblems: 100,
  /**
   * Larger bodies are read only after the request is counted. The extra round trip costs less than reading the body.
   */
  smallBodyBytes: 64 * 1024,
  /**
   * The number of large bodies that an isolate reads at a time for one organization. All organizations share the
   * isolate's 128 MB.
   */
  largeBodiesAtATime: 8,
  /** Total bytes of large bodies that an isolate reads at a time. Reading a body takes two to three times its size. */
  largeBodyBytes: 32 * 1024 * 1024,
  /** One organization's share: enough for any image, with room left for another organization's image. */
  largeBodyBytesOfOrganization: 16 * 1024 * 1024,
  /** The number of 401s per sender and minute. Further requests get a 429 before their credentials are checked. */
  unknownTokensPerMinute: 300,
  /** Lookups per second and isolate for unknown tokens, sessions and keys from a blocked sender. */
  blockedLookupsPerSecond: 5,
  /** How many of these can be for new credentials while other credentials wait. An attacker seldom repeats a guess. */
  blockedFirstLookupsPerSecond: 3,
  /** Review e-mails and codes from one workspace to one address per day (UTC). No real review needs more. */
  mailsToAddressPerDay: 20,
  /** Notices from all workspaces to one address per day (UTC). A digest reports the others. */
  noticesToAddressPerDay: 30,
  /** Invitations from one workspace to one address per day (UTC). */
  invitationsToAddressPerDay: 5,
  /** Invitations from all workspaces to one address per day (UTC). Further invitations are sent the next day. */
  invitationsMailedToAddressPerDay: 20,
  /** Codes per day that may exceed a workspace's e-mail limit, in total and per address. */
  codesBesideMailsPerDay: 5,
  invitationDays: 7,
  /** People in a workspace: active members and pending invitations. */
  members: 1_000,
  /** Active tokens in a workspace: neither revoked nor expired. */
  liveTokens: 200,
  tokenDays: { min: 1, max: 3650 },
  /** Addresses and ranges on a token's IP allowlist. */
  allowedAddresses: 20,
  /** How long a rolled token keeps working alongside the new one. */
  tokenOverlapHours: { max: 720, default: 24 },
  /** Origins to which links in a workspace's review e-mails may point. */
  allowedOrigins: 50,
  /** This many invoice lines or milestones count as one record in the workspace's plan. */
  partsOfRecord: 10,
  /** Evidence, including metadata, counts as one more record per this many bytes. */
  recordBytes: 5000,
  /** The megabyte that a plan's `storage_mb` uses. */
  bytesPerMegabyte: 1_000_000,
  /** Versions per deliverable. A page shows all of them, and no real review needs more. */
  versionsPerDeliverable: 500,
  /** The share of the mail service's quota reserved for sign-in links and codes. */
  signInMailShare: 0.2,
  /** D1's maximum database size, which cannot be raised. The operator gets one e-mail for each percentage. */
  databaseBytes: 10_000_000_000,
  databaseNoticePercents: { early: 70, late: 90 },
  /**
   * The size of one record in bytes, including its ledger entry, events, audit entries and indexes. A test measures it.
   */
  bytesOfRecord: 2950,
  /** Expired rows of one kind deleted per cron run. More would lock the database for too long. */
  purgedRowsPerMinute: 500,
  /** Stripe does not document a maximum event size; events are usually a hundredth of this. */
  processorEventBytes: 1024 * 1024,
} as const;

/** How much an audit log search scans, which is about 2,000 rows in total (contract N11). */
export const auditLimits = {
  /** For searches by person or action: index entries from admins and tokens. The newest rows are read as well. */
  entries: 330,
  /** For searches by token: requests of all tokens, from an index that includes the token. */
  entriesOfTokens: 240,
} as const;

/** Sizes as error messages show them. For logos and plans, a kilobyte is 1,000 bytes. */
export const imageSize = `${limits.imageDecodedBytes / 1024 ** 2} MB`;
export const logoSize = `${limits.logoDecodedBytes / 1000} KB`;

/** How requests with the same key wait for each other, and how long responses are kept (contract I7). */
export const claimLimits = {
  /** A request that has held its key for longer than this is considered dead, and a retry takes over. */
  leaseSeconds: 30,
  /** How long a request waits for an in-flight request with the same key before it gets a 409. */
  waitSeconds: 10,
  /** How long the first response is kept in full. Later replays read the record. */
  answerDays: 30,
  /** How long the coordinator remembers a sent e-mail, which is longer than the send-records queue keeps retrying. */
  sentMailDays: 31,
} as const;
