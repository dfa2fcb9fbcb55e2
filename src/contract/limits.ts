/**
 * Every limit (docs/contract.md), with its unit last; test/database/limits.test.ts checks the database against them.
 */
export const limits = {
  pageSizeRecords: { min: 1, max: 200, default: 50 },
  /** Bytes of JSON per page: a page ends early where the next record would exceed them. */
  pageBytes: 4 * 1024 * 1024,
  /** JSON bytes of a record's children, on a page of more than 50 records; 200 such records fill a page. */
  pageChildrenBytes: 20_000,
  /**
   * Records that a page with two or more filters scans, among those that one filter finds; as many again are skipped to
   * find where the next page begins. Together they take the database some 2 ms.
   */
  lookedAtRecords: 1_000,
  /** Entries of the list's own index that a page with only bounds as filters scans, without their rows. */
  lookedAtEntries: 10_000,
  legacyClientListRecords: 500,
  titleCharacters: 200,
  /** The name of a record or of a person. */
  nameCharacters: 200,
  externalIdCharacters: 200,
  /** The description of a project and the notes of an invoice. */
  descriptionCharacters: 5000,
  lineDescriptionCharacters: 1000,
  /** The note or message of a version, a send or a time entry. */
  noteCharacters: 2000,
  /** Of a report about an e-mail that came back. */
  problemReasonCharacters: 500,
  /** RFC 5322 allows a line of 998. */
  messageIdCharacters: 998,
  /** How long the ids of e-mails to members, and reports that match no e-mail, are kept. */
  mailReportDays: 30,
  /** Why an admin adds revision rounds. */
  reasonCharacters: 1000,
  /** How evidence names its author's address: an e-mail address of RFC 5321 at its longest, or a handle. */
  authorAddressCharacters: 320,
  lineItemsOfInvoice: 200,
  milestonesOfProject: 100,
  /** The metadata that a connector adds to evidence, as JSON, and its nesting depth. */
  metadataBytes: 16 * 1024,
  metadataLevels: 32,
  embedUrlCharacters: 2000,
  /** The revision rounds that a project includes, and those that one override adds. */
  revisionRounds: { min: 0, max: 1000 },
  overrideRounds: { min: 1, max: 1000 },
  /** The hours of one time entry. A start and an end a few seconds apart count as the minimum. */
  entryHours: { min: 0.01, max: 24 },
  taxRatePercent: { min: 0, max: 100 },
  imageDecodedBytes: 10 * 1024 * 1024,
  /** The longest side that a WebP can have, and that browsers on phones can still decode. */
  imageSidePixels: 16_384,
  imagePixels: 100_000_000,
  /** A workspace's logo is part of every page and e-mail. */
  logoDecodedBytes: 200_000,
  ingestContentCharacters: 20_000,
  idempotencyKeyCharacters: 200,
  /** `svc_` and ten of 36 digits: enough to tell tokens apart, too little to guess one. */
  tokenPrefixCharacters: 14,
  rateWindowSeconds: 60,
  /** What an operator can give one workspace in place of its plan's. One coordinator counts about this many. */
  ownRequestsPerMinute: { min: 1, max: 100_000 },
  /**
   * Requests of one organization that may read data in one isolate before they are counted; any others are counted
   * first.
   */
  uncountedReads: 8,
  /**
   * A form that is sent again within this time counts as a second press of its button; an operation that is called
   * again with its key still shows the secret that it created.
   */
  pressedAgainSeconds: 60,
  /** Ten megabytes in base64 are 13,981,016 characters; the rest is room for the other fields. */
  imageBodyBytes: 15 * 1024 * 1024,
  /** The notes and line descriptions of one invoice together, as JSON carries them in UTF-8. */
  invoiceTextBytes: 64 * 1024,
  /**
   * The largest valid body without an image: an invoice of 200 lines with 1,000 characters each, escaped to 12 bytes.
   */
  bodyBytes: 3 * 1024 * 1024,
  /** Nesting depth of a body's objects and arrays; twice that of `metadata`. */
  jsonLevels: 64,
  /** The path of a field that an error repeats: no field of the API has a longer one. */
  echoedPathCharacters: 200,
  /** Problems that a 400 lists. */
  toldProblems: 100,
  /** A larger body is read only after its request is counted and has room: the extra trips cost less than the body. */
  smallBodyBytes: 64 * 1024,
  /** Large bodies that one isolate reads at a time for one organization. Its 128 MB serve all organizations. */
  largeBodiesAtATime: 8,
  /** Bytes of all large bodies that one isolate reads at a time. Reading one takes two to three times its bytes. */
  largeBodyBytes: 32 * 1024 * 1024,
  /** One organization's part of that: an image always fits, and another organization's image beside it. */
  largeBodyBytesOfOrganization: 16 * 1024 * 1024,
  /** 401s from one sender in a minute. Further requests get a 429 before their credentials are looked at. */
  unknownTokensPerMinute: 300,
  /** Unknown tokens, sessions and keys that an isolate looks up in a second for a blocked sender. */
  blockedLookUpsPerSecond: 5,
  /** Of these, for those that come for the first time while others wait: a guess is seldom repeated, a live one is. */
  blockedFirstLookUpsPerSecond: 3,
  /** Review e-mails and codes that one workspace sends to one address in a day (UTC). No real review needs more. */
  mailsToAddressPerDay: 20,
  /** Notices from all workspaces to one address in a day (UTC); digests report the others. */
  noticesToAddressPerDay: 30,
  /** Invitations from one workspace to one address in a day (UTC). */
  invitationsToAddressPerDay: 5,
  /** Invitations from all workspaces sent to one address in a day (UTC); the rest wait for the next day. */
  invitationsMailedToAddressPerDay: 20,
  /** Codes sent in a day beyond a workspace's other e-mails, in total and to one address. */
  codesBesideMailsPerDay: 5,
  invitationDays: 7,
  /** People of a workspace: members who have not left, and invited ones. */
  members: 1_000,
  /** Active tokens of a workspace: neither revoked nor expired. */
  liveTokens: 200,
  tokenDays: { min: 1, max: 3650 },
  /** Addresses and ranges that a token may be used from. */
  allowedAddresses: 20,
  /** How long a rolled token keeps working beside the new one. */
  tokenOverlapHours: { max: 720, default: 24 },
  /** Origins that a workspace allows for links in review e-mails. */
  allowedOrigins: 50,
  /** Invoice lines, or milestones, that count as one record against the workspace's plan. */
  partsOfRecord: 10,
  /** Every so many bytes of evidence, metadata included, count as one more record. */
  recordBytes: 5000,
  /** The megabyte of a plan's `storage_mb`. */
  bytesPerMegabyte: 1_000_000,
  /** Versions of one deliverable. Feedback refers to versions, and a page shows them all; no real review needs more. */
  versionsPerDeliverable: 500,
  /** The share of the mail service's quota that is reserved for sign-in links and codes. */
  mailsKeptToOpen: 0.2,
  /**
   * The size limit of a D1 database, which cannot be raised. The operator gets one e-mail at each of the shares below.
   */
  databaseBytes: 10_000_000_000,
  databaseNoticePercents: { early: 70, late: 90 },
  /**
   * The bytes of a record there, with its ledger entry, events and audit entries, and their indexes: a test measures
   * it.
   */
  bytesOfRecord: 2950,
  /** Rows of one kind that a minute deletes when they expire, so that no minute locks the database for long. */
  purgedRowsPerMinute: 500,
  /** Stripe documents no size of its events; a hundredth of this is usual. */
  processorEventBytes: 1024 * 1024,
} as const;

/** What a search of the audit log scans, so that it reads some 2,000 rows (contract N11). */
export const auditLimits = {
  /** By person or action: the entries of admins and of tokens by an index, then the rows of the newest. */
  entries: 330,
  /** By token: the requests of all tokens, by an index that includes their token. */
  entriesOfTokens: 240,
} as const;

/** A size as texts write it; a logo's and a plan's kilobytes and megabytes are decimal. */
export const imageSize = `${limits.imageDecodedBytes / 1024 ** 2} MB`;
export const logoSize = `${limits.logoDecodedBytes / 1000} KB`;

/** How requests with one key wait for each other, and how long their responses are kept (contract I7). */
export const claimLimits = {
  /** A holder that has not ended by then counts as dead, and a retry takes over. */
  leaseSeconds: 30,
  /** How long the same request waits for the first one before it gets a 409. */
  waitSeconds: 10,
  /** The complete first response; after that a replay reads the record. */
  answerDays: 30,
  /** Longer than the queue of send records keeps trying. */
  sentMailDays: 31,
} as const;
