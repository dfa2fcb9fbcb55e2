/** Every limit of the client's review (CONTRACT 10), with its unit last. */
export const reviewLimits = {
  nameCharacters: 200,
  bodyCharacters: 5000,
  /** A form holds at most a body of four-byte characters, each escaped to twelve. */
  formBytes: 128 * 1024,
  /** A review takes weeks, seldom a quarter; every send mails a new link. */
  mailedKeyDays: 90,
  /** Who typed a code proved their mailbox for now, maybe on a borrowed machine. */
  codeKeyHours: 12,
  codeDigits: 6,
  codeMinutes: 10,
  triesPerCode: 5,
  /** To one address, whichever of its reviews asks. */
  codesPerHour: 5,
  /** On one review in a day by those who came by its bare link, each of which mails the owner. */
  unconfirmedPerDay: 50,
  /** The newest versions and comments that a page shows: more is no conversation any more. */
  shownRecords: 500,
  /** What a browser says of itself is kept up to this length. */
  userAgentCharacters: 500,
} as const;
