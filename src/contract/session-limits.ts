/** Every limit of signing in to the settings (CONTRACT 11), with its unit last. */
export const sessionLimits = {
  linkMinutes: 15,
  /** To one address, whoever asks for them. */
  linksPerHour: 5,
  idleHours: 12,
  /** However much it is used. */
  days: 30,
  /** The last use is kept to this: a busy page writes no row for each request. */
  lastUseMinutes: 5,
  /** Of the page that a sign-in leads back to: a search with every field fits. */
  returnPathCharacters: 1000,
  /** A form of the settings: an endpoint's address, a description, every scope. */
  formBytes: 64 * 1024,
} as const;
