/** Limits of a client's review (contract P7, P8). */
export const reviewLimits = {
  nameCharacters: 200,
  bodyCharacters: 5000,
  /** Enough for the longest body in four-byte characters, each of which is escaped to twelve bytes. */
  formBytes: 128 * 1024,
  /** Reviews take weeks, seldom a quarter, and every send e-mails a new link. */
  mailedKeyDays: 90,
  /** A code proves access to the mailbox only now, and may be entered on a borrowed machine. */
  codeKeyHours: 12,
  /** Days from a send to its first reminder, and between reminders; 0: no reminders. */
  reminderDays: { min: 0, max: 30 },
  /** A client who ignores three reminders does not want a fourth. */
  remindersOfSend: 3,
  codeDigits: 6,
  codeMinutes: 10,
  triesPerCode: 5,
  /** Codes per address, across all its reviews. */
  codesPerHour: 5,
  /** Comments on one deliverable by its client, visitors and admins. No real conversation needs more. */
  comments: 2000,
  /** Comments per day on one review by visitors with only the bare link; each one e-mails the owner. */
  unconfirmedPerDay: 50,
  /** The same for visitors with a key from an e-mail or a code. */
  confirmedPerDay: 200,
  /** The body of a request to verify a proof with the largest image. */
  verifyBytes: 11 * 1024 * 1024,
  /** The coordinates of a comment's anchor, as shares of the image's width and height. */
  anchorShare: { min: 0, max: 1 },
  /** Comments on a page, the newest by default. A page shows all versions. */
  shownComments: 50,
  /** The newest openings that the workspace's page shows. */
  shownOpenings: 20,
  /** Bytes of HTML for a page's comments and for the notes in its version list; a page has at most 300 KB. */
  shownCommentBytes: 90_000,
  shownNoteBytes: 30_000,
  pageBytes: 300_000,
  /** A browser's user agent is truncated to this length. */
  userAgentCharacters: 500,
} as const;
