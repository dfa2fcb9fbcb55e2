import { limits } from "../contract/limits.ts";
import { type Refusal, refuse } from "../contract/refusal.ts";
import type { Scope } from "../contract/scopes.ts";
import { equalInConstantTime, sha256Hex } from "../platform/digest.ts";
import { note } from "../platform/log.ts";
import type { Principal } from "../workspace/tokens/principal.ts";
import type { PartnerRequest } from "./partner-request.ts";
import { refuseToken } from "./refuse-token.ts";
import { windowHeaders } from "./responses.ts";
import { rememberToken } from "./senders.ts";

/** Who a request speaks for, and what they may do (contract R1, steps 4 to 6 and 8). */

const bearerPattern = /^Bearer (svc_[a-f0-9]{36})$/;

/** Steps 4 and 5 before any lookup: the gateway's key, then the strict form of the token; answers its SHA-256. */
export function tokenHashOf(headers: Headers, gatewayPublicKey: string): string | Refusal {
  const apikey = headers.get("apikey") ?? "";
  // Two, with a comma between them, while partners move to the new one.
  const keys = gatewayPublicKey.split(",").filter((key) => key.trim() !== "");
  if (!keys.some((key) => equalInConstantTime(apikey, key.trim()))) return refuse("invalid_apikey");
  const token = bearerPattern.exec(headers.get("authorization") ?? "")?.[1];
  return token ? sha256Hex(token) : refuse("invalid_token");
}

/** How the token begins: what lists of tokens show of it. */
const prefixOf = ({ raw }: PartnerRequest): string => {
  const bearer = raw.headers.get("authorization") ?? "";
  return bearer.slice("Bearer ".length, "Bearer ".length + limits.tokenPrefixCharacters);
};

/** Steps 5 and 6: the token is known and its organization has API access. */
export function authenticate<P extends Principal>(principal: P | null, request: PartnerRequest): P | Refusal {
  if (!principal) return refuseToken(request);
  rememberToken(request.tokenHash, { organizationId: principal.organizationId, scopes: principal.scopes });
  note({
    organization_id: principal.organizationId,
    token_prefix: prefixOf(request),
    token_id: principal.tokenId,
  });
  request.setHeaders(windowHeaders(principal.requestsPerMinute));
  return principal.hasApiAccess ? principal : refuse("api_access_required");
}

/** Step 8. */
export function checkScopes(principal: Principal, needed: readonly (Scope | null)[]): Refusal | undefined {
  const missing = needed.find((scope) => scope !== null && !principal.scopes.includes(scope));
  return missing ? refuse("insufficient_scope", { required_scope: missing }) : undefined;
}
