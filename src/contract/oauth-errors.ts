/** OAuth error codes for connecting apps (RFC 6749, 4.1.2.1 and 5.2). */
export const oauthErrors = [
  "invalid_request",
  "invalid_scope",
  "unsupported_response_type",
  "access_denied",
  "invalid_client",
  "invalid_grant",
  "unsupported_grant_type",
  "server_error",
  "temporarily_unavailable",
] as const;

export type OAuthError = (typeof oauthErrors)[number];
