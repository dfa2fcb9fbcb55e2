/** Every limit on signing in to the settings (contract S2, S3), with its unit last. */
export const sessionLimits = {
  linkMinutes: 15,
  /** Unexpired links per address, used or not, no matter who requested them. */
  linksAtATime: 5,
  /**
   * While none of the links is still usable, one more is sent after this many minutes, so that no one is locked
   * out.
   */
  minutesToOneMore: 5,
  idleHours: 12,
  /** A session ends after this time, even if it is in use. */
  days: 30,
  /** The precision of the last use, so that a busy page does not write a row per request. */
  lastUseMinutes: 5,
  /** The length of the address to return to after sign-in. A search with every field fits. */
  returnPathCharacters: 1000,
  /**
   * Calls per minute of one workspace over RPC and the settings, all admins together: four a second, the pace
   * of a busy script.
   */
  callsPerMinute: 240,
  /** How long an export may take; after a crash, the next export waits at most this long. */
  exportMinutes: 10,
  /** Export steps that are counted as calls together: a request may call other services 1,000 times. */
  exportStepsCounted: 10,
  /** Calls per minute that exports leave free for people, so that the settings stay usable while one runs. */
  callsLeftByExports: 60,
  /** The size of a settings form: an endpoint's address, a description and every scope fit. */
  formBytes: 64 * 1024,
} as const;
