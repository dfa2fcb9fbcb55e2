/** Where an app sends an admin to be connected. */
export const authorizePath = "/oauth/authorize";

/** Where it exchanges the code that it gets. */
export const tokenPath = "/oauth/token";

/** Where it finds both (RFC 8414). */
export const metadataPath = "/.well-known/oauth-authorization-server";
