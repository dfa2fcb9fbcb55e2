/** Every limit of connecting an app (contract J), with its unit last. */
export const connectLimits = {
  /**
   * How long a code can be exchanged: time for the redirect and one request (RFC 6749, 4.1.2, allows ten
   * minutes).
   */
  codeSeconds: 60,
  /** How long a used code is still recognized. If it is presented again, the token that it gave is revoked. */
  codeKnownMinutes: 10,
  /** The query of /oauth/authorize. It still fits into a URL after the sign-in address escapes it twice. */
  queryCharacters: 4_000,
  /** The form of /oauth/token. */
  formBytes: 16 * 1024,
} as const;
