/** Where an app sends an admin to authorize it. */
export const authorizePath = "/oauth/authorize";

/** Where the app exchanges its code. */
export const tokenPath = "/oauth/token";

/** Authorization server metadata (RFC 8414). */
export const metadataPath = "/.well-known/oauth-authorization-server";
