/** Every limit of the client's review (contract P7, P8), with its unit last. */
export const reviewLimits = {
  nameCharacters: 200,
  bodyCharacters: 5000,
  /** A form contains at most a body of four-byte characters, each escaped to twelve. */
  formBytes: 128 * 1024,
  /** A review takes weeks, seldom a quarter; every send e-mails a new link. */
  mailedKeyDays: 90,
  /** A code proves access to the mailbox only for now; it may have been typed on a borrowed machine. */
  codeKeyHours: 12,
  /** From a send to its first reminder, and from one reminder to the next; 0: none. */
  reminderDays: { min: 0, max: 30 },
  /** A client who ignores three does not want a fourth. */
  remindersOfSend: 3,
  codeDigits: 6,
  codeMinutes: 10,
  triesPerCode: 5,
  /** Codes to one address, over all its reviews. */
  codesPerHour: 5,
  /** Comments on one deliverable, by its client, its visitors and admins. No real conversation has a tenth of it. */
  comments: 2000,
  /** Comments on one review in a day by visitors with the bare link; each e-mails the owner. */
  unconfirmedPerDay: 50,
  /** The same for visitors with a key, from an e-mail or a code. */
  confirmedPerDay: 200,
  /** A proof and the largest image, to be checked. */
  verifyBytes: 11 * 1024 * 1024,
  /** The range of a comment's anchor, of the image's width and height. */
  anchorShare: { min: 0, max: 1 },
  /** A page shows this many comments, the newest unless older ones are requested, and all versions. */
  shownComments: 50,
  /** Openings that the workspace's own page shows, the newest. */
  shownOpenings: 20,
  /** HTML for the comments of a page, and for the notes in its list of versions: a page has at most 300 KB. */
  shownCommentBytes: 90_000,
  shownNoteBytes: 30_000,
  pageBytes: 300_000,
  /** A browser's user agent is kept up to this length. */
  userAgentCharacters: 500,
} as const;
