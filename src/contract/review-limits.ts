/** Limits on a client's review (contract P7, P8). */
export const reviewLimits = {
  nameCharacters: 200,
  bodyCharacters: 5000,
  /** Enough for the longest body of four-byte characters, each escaped to twelve bytes. */
  formBytes: 128 * 1024,
  /** Reviews take weeks, rarely three months, and every send e-mails a new link. */
  mailedKeyDays: 90,
  /** A code proves access to the mailbox only at that moment, and may be entered on a borrowed device. */
  codeKeyHours: 12,
  /** Days from a send to the first reminder, and between reminders. 0 turns reminders off. */
  reminderDays: { min: 0, max: 30 },
  /** A client who ignores three reminders does not want a fourth. */
  remindersOfSend: 3,
  codeDigits: 6,
  codeMinutes: 10,
  triesPerCode: 5,
  /** Codes per address, across all its reviews. */
  codesPerHour: 5,
  /** Comments on one deliverable, by its client, visitors and admins. No real conversation needs more. */
  comments: 2000,
  /** Daily comments on one review by visitors who have only the link. Each comment e-mails the owner. */
  unconfirmedPerDay: 50,
  /** Daily comments by visitors with a key from an e-mail or a code. */
  confirmedPerDay: 200,
  /** The size of a request to verify a proof with the largest allowed image. */
  verifyBytes: 11 * 1024 * 1024,
  /** The coordinates of a comment's anchor as fractions of the image's width and height. */
  anchorShare: { min: 0, max: 1 },
  /** Comments shown by default, newest first. A page shows all versions. */
  shownComments: 50,
  /** How many of the newest opens the workspace's page shows. */
  shownOpenings: 20,
  /** Bytes of HTML for the comments on a page. The whole page stays under 300 KB. */
  shownCommentBytes: 90_000,
  pageBytes: 300_000,
  /** The length at which a browser's user agent is truncated. */
  userAgentCharacters: 500,
} as const;
