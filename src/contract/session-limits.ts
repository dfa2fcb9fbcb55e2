/** Every limit of signing in to the settings (contract S2, S3), with its unit last. */
export const sessionLimits = {
  linkMinutes: 15,
  /** Unexpired links of one address, used or not, whoever requested them. */
  linksAtATime: 5,
  /** While none of them is live, one more is sent after this many minutes, so that no one is locked out. */
  minutesToOneMore: 5,
  idleHours: 12,
  /** A session ends after this time, even if it is in use. */
  days: 30,
  /** The precision of the last use: a busy page does not write a row for each request. */
  lastUseMinutes: 5,
  /** The length of the address that a sign-in leads back to. A search with every field fits. */
  returnPathCharacters: 1000,
  /** Calls of one workspace over RPC and the settings, all its admins together. Four a second: a busy script's pace. */
  callsPerMinute: 240,
  /** How long an export may take. After one that died, the next one waits no longer than this. */
  exportMinutes: 10,
  /** Steps of an export that are counted as calls together: a request may call other services 1,000 times. */
  exportStepsCounted: 10,
  /** Calls of each minute that exports leave to people: the settings stay usable while one runs. */
  callsLeftByExports: 60,
  /** A form of the settings: an endpoint's address, a description, every scope. */
  formBytes: 64 * 1024,
} as const;
