import { hasReplacedBytes } from "../contract/characters.ts";
import { characterCount } from "../contract/fields.ts";
import { limits } from "../contract/limits.ts";
import { invalid, type Refusal, refuse } from "../contract/refusal.ts";
import type { Scope } from "../contract/scopes.ts";
import { equalInConstantTime, sha256Hex } from "../platform/digest.ts";
import { note } from "../platform/log.ts";
import { isAllowedFrom } from "../workspace/tokens/allowed-addresses.ts";
import type { Principal, TokenActor } from "../workspace/tokens/principal.ts";
import { isDryRun } from "./dry-run.ts";
import type { PartnerRequest } from "./partner-request.ts";
import { noWindowHeaders, windowHeaders } from "./responses.ts";
import type { WriteDeclaration } from "./route.ts";
import { addressOf } from "./sender-of.ts";
import { allowSender, countUnknownSender, forgetToken, refuseSender, rememberToken } from "./senders.ts";

/** Authenticates and authorizes a request (contract R1, steps 4 to 6 and 8 to 11). */

const bearerPattern = /^Bearer (svc_[a-f0-9]{36})$/;

/** Steps 4 and 5: checks the gateway's key and the token's format without a lookup. Returns the token's SHA-256. */
export function tokenHashOf(headers: Headers, gatewayPublicKey: string): string | Refusal {
  const apikey = headers.get("apikey") ?? "";
  // Two keys, separated by a comma, while partners move to the new one.
  const keys = gatewayPublicKey.split(",").filter((key) => key.trim() !== "");
  if (!keys.some((key) => equalInConstantTime(apikey, key.trim()))) return refuse("invalid_apikey");
  const token = bearerPattern.exec(headers.get("authorization") ?? "")?.[1];
  return token ? sha256Hex(token) : refuse("invalid_token");
}

/** Returns the first characters of the token, as token lists show them. */
const prefixOf = ({ raw }: PartnerRequest): string => {
  const bearer = raw.headers.get("authorization") ?? "";
  return bearer.slice("Bearer ".length, "Bearer ".length + limits.tokenPrefixCharacters);
};

/**
 * Steps 5 to 6a: checks that the token exists, that its organization has API access and is not closed, and that the
 * token may be used from this address.
 */
export function authenticate<P extends Principal>(principal: P | null, request: PartnerRequest): P | Refusal {
  if (!principal) return refuseToken(request);
  rememberToken(request.tokenHash, { organizationId: principal.organizationId, scopes: principal.scopes });
  note({
    organization_id: principal.organizationId,
    token_prefix: prefixOf(request),
    token_id: principal.tokenId,
  });
  request.setHeaders(windowHeaders(principal.requestsPerMinute));
  if (!principal.hasApiAccess) return refuse("api_access_required");
  if (!isAllowedFrom(principal.allowedIps, addressOf(request.raw.headers))) return refuseAddress(request);
  allowSender(request.tokenHash, request.address);
  return principal.fence === "all" ? refuse("organization_is_moving") : principal;
}

/** Step 6a. A token used from another address counts against its sender, like an unknown token. */
function refuseAddress(request: PartnerRequest): Refusal {
  const { services, tokenHash, address } = request;
  refuseSender(tokenHash, address);
  request.waitUntil(countUnknownSender(services, address));
  return refuse("address_not_allowed");
}

/** Step 8: checks that the token has the scopes. */
export function checkScopes(principal: Principal, needed: readonly (Scope | null)[]): Refusal | undefined {
  const missing = needed.find((scope) => scope !== null && !principal.scopes.includes(scope));
  return missing ? refuse("insufficient_scope", { required_scope: missing }) : undefined;
}

/** Returns the 401 for an unknown, revoked or expired token, and counts it against the sender. */
export function refuseToken(request: PartnerRequest): Refusal {
  forgetToken(request.tokenHash);
  note({ token_id: undefined });
  request.setHeaders(noWindowHeaders);
  request.waitUntil(countUnknownSender(request.services, request.address));
  return refuse("invalid_token");
}

export const idempotencyKeyOf = ({ raw }: PartnerRequest): string => raw.headers.get("idempotency-key") ?? "";

export type Authorizable = Pick<
  WriteDeclaration<unknown, unknown, unknown>,
  "scope" | "feature" | "idempotent" | "ignoresUnknown"
>;

/** Steps 8 to 11. A dry run may omit its key. */
export function authorize(
  route: Authorizable,
  actor: TokenActor,
  request: PartnerRequest,
): Refusal | undefined {
  const scope = checkScopes(actor, [route.scope]);
  if (scope) return scope;
  if (route.feature && !actor.features.includes(route.feature)) return refuse("feature_disabled");
  if (!actor.isAdmin) return refuse("api_actor_unavailable");
  const key = idempotencyKeyOf(request);
  return route.idempotent && !(key === "" && isDryRun(route, request)) ? refuseKey(key) : undefined;
}

/** Step 11. */
function refuseKey(key: string): Refusal | undefined {
  if (key === "" || characterCount(key) > limits.idempotencyKeyCharacters)
    return invalid(`Idempotency-Key is required (1-${limits.idempotencyKeyCharacters} characters)`);
  return hasReplacedBytes(key) ? invalid("Idempotency-Key must be ASCII or UTF-8 text") : undefined;
}
