/** Limits on sign-in and the settings (contract S2, S3). */
export const sessionLimits = {
  linkMinutes: 15,
  /** Unexpired links per address, used or not, no matter who requested them. */
  linksAtATime: 5,
  /** If none of the links is usable, another one is sent after this many minutes, so that no one is locked out. */
  minutesToOneMore: 5,
  idleHours: 12,
  /** A session ends after this time, even if it is in use. */
  days: 30,
  /** How precisely the last use is recorded, so that a busy page does not write a row per request. */
  lastUseMinutes: 5,
  /** The length of the address to return to after sign-in; enough for a search with every field. */
  returnPathCharacters: 1000,
  /** Calls per minute and workspace over RPC and the settings, for all admins together. */
  callsPerMinute: 240,
  /** How long an export may take; after a crash, the next export waits at most this long. */
  exportMinutes: 10,
  /** Export steps counted per call to the coordinator. A request may make only 1,000 subrequests. */
  exportStepsCounted: 10,
  /** Calls per minute that exports leave free for people, so that the settings stay usable while one runs. */
  callsLeftByExports: 60,
  /** The size of a settings form; enough for an endpoint's address, a description and every scope. */
  formBytes: 64 * 1024,
} as const;
