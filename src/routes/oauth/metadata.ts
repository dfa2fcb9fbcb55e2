import { authorizePath, tokenPath } from "../../contract/connect-paths.ts";
import { type Scope, scopeCatalogue } from "../../contract/scopes.ts";

/** Returns authorization server metadata (RFC 8414, RFC 9207). */
export const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: issuer + authorizePath,
  token_endpoint: issuer + tokenPath,
  scopes_supported: (Object.keys(scopeCatalogue) as Scope[]).filter(
    (scope) => scopeCatalogue[scope].grantable,
  ),
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code"],
  token_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${issuer}/docs/connect`,
});

/** Returns the issuer: the origin under which the service is published, regardless of the host that a request names. */
export const issuerOf = (applicationUrl: string): string => new URL(applicationUrl).origin;
