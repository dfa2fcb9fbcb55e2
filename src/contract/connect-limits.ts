/** Limits on connecting an app (contract J). */
export const connectLimits = {
  /** The lifetime of a code. RFC 6749, 4.1.2, allows at most ten minutes. */
  codeSeconds: 60,
  /** How long a used code is stored. Using the code again revokes its token. */
  codeKnownMinutes: 10,
  /**
   * The maximum length of a query string for /oauth/authorize. Even escaped twice, in the sign-in URL, it fits into a
   * URL.
   */
  queryCharacters: 4_000,
  /** The maximum size of the form posted to /oauth/token. */
  formBytes: 16 * 1024,
} as const;
