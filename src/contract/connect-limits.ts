/** Every limit of connecting an app (contract J), with its unit last. */
export const connectLimits = {
  /** How long a code can be exchanged: the redirect and one request (RFC 6749, 4.1.2, allows ten minutes). */
  codeSeconds: 60,
  /** How long a used code is still recognized. Shown again, it takes back what it gave. */
  codeKnownMinutes: 10,
  /** The query of /oauth/authorize. Escaped twice, in the address of the sign-in, it still fits into a URL. */
  queryCharacters: 4_000,
  /** The form of /oauth/token. */
  formBytes: 16 * 1024,
} as const;
