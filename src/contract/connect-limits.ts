/** Limits on connecting an app (contract J). */
export const connectLimits = {
  /** The lifetime of a code. RFC 6749, 4.1.2, allows at most ten minutes. */
  codeSeconds: 60,
  /** How long a used code is remembered. Using it again revokes its token. */
  codeKnownMinutes: 10,
  /**
   * The length of the query string of /oauth/authorize. It still fits into a URL after the sign-in address escapes it
   * twice.
   */
  queryCharacters: 4_000,
  /** The size of the form posted to /oauth/token. */
  formBytes: 16 * 1024,
} as const;
