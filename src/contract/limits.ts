/** The limits of docs/contract.md. test/database/limits.test.ts checks the database against them. */
export const limits = {
  pageSizeRecords: { min: 1, max: 200, default: 50 },
  /** Bytes of JSON per page: a page ends early if the next record would exceed them. */
  pageBytes: 4 * 1024 * 1024,
  /** JSON bytes of a record's children, on a page of more than 50 records; 200 such records fill a page. */
  pageChildrenBytes: 20_000,
  /**
   * The most records matching the first filter that a page with two or more filters scans. As many again are
   * skipped to find the start of the next page. Together they take the database about 2 ms.
   */
  scannedRecords: 1_000,
  /** Index entries that a page filtered only by bounds scans. Their rows are not read. */
  scannedEntries: 10_000,
  legacyClientListRecords: 500,
  titleCharacters: 200,
  /** The name of a record or a person. */
  nameCharacters: 200,
  externalIdCharacters: 200,
  /** The description of a project and the notes of an invoice. */
  descriptionCharacters: 5000,
  lineDescriptionCharacters: 1000,
  /** The note or message of a version, a send or a time entry. */
  noteCharacters: 2000,
  /** The text of a bounce report. */
  problemReasonCharacters: 500,
  /** RFC 5322 limits a line to 998 characters. */
  messageIdCharacters: 998,
  /** How long the ids of e-mails to members, and bounce reports that match no e-mail, are kept. */
  mailReportDays: 30,
  /** The reason for adding revision rounds. */
  reasonCharacters: 1000,
  /** The address of an evidence's author: the longest RFC 5321 e-mail address, or a handle. */
  authorAddressCharacters: 320,
  lineItemsOfInvoice: 200,
  milestonesOfProject: 100,
  /** The size of a connector's evidence metadata as JSON, and its nesting depth. */
  metadataBytes: 16 * 1024,
  metadataLevels: 32,
  embedUrlCharacters: 2000,
  /** The revision rounds that a project includes, and those that one override adds. */
  revisionRounds: { min: 0, max: 1000 },
  overrideRounds: { min: 1, max: 1000 },
  /** The hours of one time entry. A duration of a few seconds counts as the minimum. */
  entryHours: { min: 0.01, max: 24 },
  taxRatePercent: { min: 0, max: 100 },
  imageDecodedBytes: 10 * 1024 * 1024,
  /** The longest side that WebP allows and that phone browsers can still decode. */
  imageSidePixels: 16_384,
  imagePixels: 100_000_000,
  /** A workspace's logo is part of every page and e-mail. */
  logoDecodedBytes: 200_000,
  ingestContentCharacters: 20_000,
  idempotencyKeyCharacters: 200,
  /** `svc_` and ten base-36 digits: enough to tell tokens apart, not enough to help guessing. */
  tokenPrefixCharacters: 14,
  rateWindowSeconds: 60,
  /**
   * A rate that an operator sets for a workspace regardless of its plan. One coordinator handles about the maximum.
   */
  ownRequestsPerMinute: { min: 1, max: 100_000 },
  /** Requests per organization and isolate that may read data before they are counted; others are counted first. */
  uncountedReads: 8,
  /**
   * A form resubmitted within this time counts as a double click. An operation repeated with its key within
   * this time still shows the secret that it created.
   */
  doubleSubmitSeconds: 60,
  /** Ten megabytes in base64 are 13,981,016 characters; the rest is room for the other fields. */
  imageBodyBytes: 15 * 1024 * 1024,
  /** The notes and line descriptions of one invoice together, as UTF-8 JSON. */
  invoiceTextBytes: 64 * 1024,
  /** The largest valid body without an image: an invoice with 200 lines of 1,000 characters of 12 bytes each. */
  bodyBytes: 3 * 1024 * 1024,
  /** Nesting depth of a body's objects and arrays; twice that of `metadata`. */
  jsonLevels: 64,
  /** Error messages truncate a field's path to this length. No field of the API has a longer path. */
  echoedPathCharacters: 200,
  /** The most problems that a 400 lists. */
  maxProblems: 100,
  /** A larger body is read only after its request is counted. The extra round trip costs less than the body. */
  smallBodyBytes: 64 * 1024,
  /** Large bodies that one isolate reads at a time for one organization. All organizations share its 128 MB. */
  largeBodiesAtATime: 8,
  /** Bytes of all large bodies that one isolate reads at a time. Reading a body takes two to three times its size. */
  largeBodyBytes: 32 * 1024 * 1024,
  /** One organization's share: enough for any image, with room left for another organization's image. */
  largeBodyBytesOfOrganization: 16 * 1024 * 1024,
  /** 401s per sender and minute. Further requests get a 429 before their credentials are checked. */
  unknownTokensPerMinute: 300,
  /** Lookups per second and isolate for a blocked sender's unknown tokens, sessions and keys. */
  blockedLookupsPerSecond: 5,
  /** While others wait, the share of credentials seen for the first time. Guesses are seldom repeated. */
  blockedFirstLookupsPerSecond: 3,
  /** Review e-mails and codes from one workspace to one address per day (UTC). No real review needs more. */
  mailsToAddressPerDay: 20,
  /** Notices from all workspaces to one address per day (UTC); a digest reports the others. */
  noticesToAddressPerDay: 30,
  /** Invitations from one workspace to one address per day (UTC). */
  invitationsToAddressPerDay: 5,
  /** Invitations from all workspaces to one address per day (UTC); the rest are sent the next day. */
  invitationsMailedToAddressPerDay: 20,
  /** Codes sent per day beyond a workspace's e-mail limit, in total and to one address. */
  codesBesideMailsPerDay: 5,
  invitationDays: 7,
  /** People in a workspace: active members and pending invitations. */
  members: 1_000,
  /** Active tokens of a workspace: neither revoked nor expired. */
  liveTokens: 200,
  tokenDays: { min: 1, max: 3650 },
  /** Addresses and ranges that a token may be used from. */
  allowedAddresses: 20,
  /** How long a rolled token keeps working alongside the new one. */
  tokenOverlapHours: { max: 720, default: 24 },
  /** Origins that a workspace allows for links in review e-mails. */
  allowedOrigins: 50,
  /** Invoice lines or milestones that count as one record towards the workspace's plan. */
  partsOfRecord: 10,
  /** Each of this many bytes of evidence, including metadata, counts as one more record. */
  recordBytes: 5000,
  /** The megabyte of a plan's `storage_mb`. */
  bytesPerMegabyte: 1_000_000,
  /** Versions of one deliverable. One page shows all of them; no real review needs more. */
  versionsPerDeliverable: 500,
  /** The share of the mail service's quota that is reserved for sign-in links and codes. */
  signInMailShare: 0.2,
  /** D1's maximum database size, which cannot be raised. The operator gets one e-mail at each of these percentages. */
  databaseBytes: 10_000_000_000,
  databaseNoticePercents: { early: 70, late: 90 },
  /** The bytes of one record, including its ledger entry, events, audit entries and indexes; a test measures it. */
  bytesOfRecord: 2950,
  /** Expired rows of one kind that a cron run deletes. More would lock the database for too long. */
  purgedRowsPerMinute: 500,
  /** Stripe documents no maximum event size; events are usually a hundredth of this. */
  processorEventBytes: 1024 * 1024,
} as const;

/** How much an audit log search scans, which amounts to about 2,000 rows (contract N11). */
export const auditLimits = {
  /** By person or action: index entries of admins and of tokens, then the rows of the newest. */
  entries: 330,
  /** By token: the requests of all tokens, from an index that includes the token. */
  entriesOfTokens: 240,
} as const;

/** Sizes in messages. Kilobytes and megabytes of logos and plans are decimal. */
export const imageSize = `${limits.imageDecodedBytes / 1024 ** 2} MB`;
export const logoSize = `${limits.logoDecodedBytes / 1000} KB`;

/** How requests with the same key wait for each other, and how long their responses are kept (contract I7). */
export const claimLimits = {
  /** A request that holds its key for longer is considered dead, and a retry takes over. */
  leaseSeconds: 30,
  /** How long a repeated request waits for the first one before it gets a 409. */
  waitSeconds: 10,
  /** How long the complete first response is kept. A later replay reads the record. */
  answerDays: 30,
  /** Longer than the send-records queue retries. */
  sentMailDays: 31,
} as const;
