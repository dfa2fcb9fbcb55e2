/** Limits on sign-in and the settings (contract S2, S3). */
export const sessionLimits = {
  linkMinutes: 15,
  /** The number of unexpired links per address, used or unused, from all senders. */
  linksAtATime: 5,
  /** After this many minutes another link is sent if none of the links is usable, so that no one is locked out. */
  minutesToOneMore: 5,
  idleHours: 12,
  /** A session ends after this time, even if it is in use. */
  days: 30,
  /** How precisely the last use is recorded. To record every use would write a row for each request. */
  lastUseMinutes: 5,
  /** The maximum length of the address to return to after sign-in, which fits a search with every field filled in. */
  returnPathCharacters: 1000,
  /** RPC and settings calls per minute and workspace, for all admins together. */
  callsPerMinute: 240,
  /** How long an export may take. After a crash, the next export waits no longer than this. */
  exportMinutes: 10,
  /** Export steps that one coordinator call counts. A request can make only 1,000 subrequests. */
  exportStepsCounted: 10,
  /** Calls per minute that exports leave for people, so that the settings stay usable during an export. */
  callsLeftByExports: 60,
  /** The maximum size of a settings form, which fits an endpoint's address, its description and every scope. */
  formBytes: 64 * 1024,
} as const;
