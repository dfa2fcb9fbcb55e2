import { hasReplacedBytes } from "../contract/characters.ts";
import { characterCount } from "../contract/fields.ts";
import { limits } from "../contract/limits.ts";
import { invalid, Refusal, refuse } from "../contract/refusal.ts";
import type { Scope } from "../contract/scopes.ts";
import { run } from "../db/query.ts";
import type { Count } from "../durable/organization-coordinator.ts";
import { equalInConstantTime, sha256Hex } from "../platform/digest.ts";
import { note } from "../platform/log.ts";
import { isAllowedFrom } from "../workspace/tokens/allowed-addresses.ts";
import { findTokenActor, type Principal, type TokenActor } from "../workspace/tokens/principal.ts";
import { askCoordinator } from "./ask-coordinator.ts";
import { isDryRun } from "./dry-run.ts";
import type { PartnerRequest } from "./partner-request.ts";
import { bytesToRead, isLargeBody } from "./read-body.ts";
import { noWindowHeaders, rateHeaders, rateLimited, windowHeaders } from "./responses.ts";
import type { WriteDeclaration } from "./route.ts";
import { addressOf } from "./sender-of.ts";
import {
  allowSender,
  countUnknownSender,
  forgetToken,
  fullUntilMs,
  isKnownToken,
  isLimited,
  isRefusedSender,
  refuseSender,
  rememberLimited,
  rememberToken,
  reserveLargeBody,
  reserveUncountedRead,
} from "./senders.ts";

/** Checks a caller (contract R1, steps 4 to 11): its token, its rate limit and what it may do. */

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

/** Returns the 401 for an unknown, revoked or expired token, and counts it against the sender. */
export function refuseToken(request: PartnerRequest): Refusal {
  forgetToken(request.tokenHash);
  note({ token_id: undefined });
  request.setHeaders(noWindowHeaders);
  request.waitUntil(countUnknownSender(request.services, request.address));
  return refuse("invalid_token");
}

/** Step 6a. A token used from another address counts against its sender, like an unknown token. */
function refuseAddress(request: PartnerRequest): Refusal {
  const { services, tokenHash, address } = request;
  refuseSender(tokenHash, address);
  request.waitUntil(countUnknownSender(services, address));
  return refuse("address_not_allowed");
}

/**
 * Step 7: counts a request that does not claim a key. A full window is remembered, so that the organization's requests
 * are rejected for the rest of the minute without reading data or calling the coordinator, unless the ceiling has been
 * raised.
 */
export async function count(request: PartnerRequest, principal: Principal): Promise<Refusal | Count> {
  const { requestsPerMinute, tokenId, organizationId } = principal;
  const nowMs = Date.now();
  const untilMs = fullUntilMs(organizationId, requestsPerMinute, nowMs);
  if (untilMs !== undefined) {
    return limitedFor(request, requestsPerMinute, Math.ceil((untilMs - nowMs) / 1000) + 1);
  }
  const coordinator = request.services.coordinators.getByName(organizationId);
  const counted = await askCoordinator(coordinator.count(requestsPerMinute, tokenId));
  return checkWindow(request, principal, counted) ?? counted;
}

/** Sets the rate headers, and returns a 429 if the window is full. */
export function checkWindow(
  request: PartnerRequest,
  { organizationId, requestsPerMinute }: Principal,
  { outcome, resetSeconds }: Count,
): Refusal | undefined {
  if (outcome === "ended") return refuseToken(request);
  if (outcome !== "limited") {
    request.setHeaders(rateHeaders(requestsPerMinute, resetSeconds));
    return undefined;
  }
  // Ends one second early, so that the coordinator is asked again in the window's last second.
  rememberLimited(organizationId, { untilMs: Date.now() + (resetSeconds - 1) * 1000, requestsPerMinute });
  return limitedFor(request, requestsPerMinute, resetSeconds);
}

function limitedFor(request: PartnerRequest, requestsPerMinute: number, resetSeconds: number): Refusal {
  request.setHeaders(rateHeaders(requestsPerMinute, resetSeconds));
  return rateLimited(resetSeconds);
}

/** Step 8: checks that the token has the scopes. */
export function checkScopes(principal: Principal, needed: readonly (Scope | null)[]): Refusal | undefined {
  const missing = needed.find((scope) => scope !== null && !principal.scopes.includes(scope));
  return missing ? refuse("insufficient_scope", { required_scope: missing }) : undefined;
}

type Authorizable = Pick<
  WriteDeclaration<unknown, unknown, unknown>,
  "scope" | "feature" | "idempotent" | "ignoresUnknown"
>;

/** Steps 8 to 11. */
export function authorize(
  route: Authorizable,
  actor: TokenActor,
  request: PartnerRequest,
): Refusal | undefined {
  const scope = checkScopes(actor, [route.scope]);
  if (scope) return scope;
  if (route.feature && !actor.features.includes(route.feature)) return refuse("feature_disabled");
  if (!actor.isAdmin) return refuse("api_actor_unavailable");
  const key = idempotencyKeyOf(route, request);
  return key === null ? undefined : refuseKey(key);
}

/** Returns the Idempotency-Key; null for the legacy create, and for a dry run without a key. */
export function idempotencyKeyOf(route: Authorizable, request: PartnerRequest): string | null {
  const key = request.raw.headers.get("idempotency-key") ?? "";
  return route.idempotent && !(key === "" && isDryRun(route, request)) ? key : null;
}

/** Step 11. */
function refuseKey(key: string): Refusal | undefined {
  if (key === "" || characterCount(key) > limits.idempotencyKeyCharacters)
    return invalid(`Idempotency-Key is required (1-${limits.idempotencyKeyCharacters} characters)`);
  return hasReplacedBytes(key) ? invalid("Idempotency-Key must be ASCII or UTF-8 text") : undefined;
}

/** A place to read the body in: a slot for an uncounted read, or memory for a large body. */
export interface Slot {
  /** Whether the request was already counted. */
  isCounted: boolean;
  release(): void;
}

/** By then, another large body has usually been read. */
const largeBodyRetrySeconds = 1;

/**
 * Admits a request before its body is read. A token that is new to this isolate costs an extra round trip to D1. A
 * large body, or a request that must be counted before it reads data, costs another one to the coordinator.
 */
export async function admit(
  route: Authorizable & { maximumBodyBytes: number },
  request: PartnerRequest,
): Promise<Slot | Refusal> {
  const { tokenHash, raw, address } = request;
  const isLarge = isLargeBody(raw);
  const reserve = () =>
    isLarge || isLimited(tokenHash, Date.now()) ? undefined : reserveUncountedRead(tokenHash);
  const isExpected = isKnownToken(tokenHash) && !isRefusedSender(tokenHash, address);
  const early = isExpected ? reserve() : undefined;
  if (early) return { isCounted: false, release: early };
  const actor = await findActor(request);
  if (actor instanceof Refusal) return actor;
  const late = authorize(route, actor, request) ? undefined : reserve();
  if (late) return { isCounted: false, release: late };
  const refusal = await countAndAuthorize(route, actor, request);
  if (refusal) return refusal;
  if (!isLarge) return { isCounted: true, release: () => {} };
  const release = reserveLargeBody(actor.organizationId, bytesToRead(raw, route.maximumBodyBytes));
  return release ? { isCounted: true, release } : rateLimited(largeBodyRetrySeconds);
}

/** Steps 5 to 11, for a write that loads no data. */
export async function checkWriter(
  route: Authorizable,
  request: PartnerRequest,
): Promise<Refusal | undefined> {
  const actor = await findActor(request);
  return actor instanceof Refusal ? actor : countAndAuthorize(route, actor, request);
}

const findActor = async (request: PartnerRequest): Promise<TokenActor | Refusal> =>
  authenticate(await run(request.services.db, findTokenActor(request.tokenHash)), request);

/** Steps 7 to 11. */
async function countAndAuthorize(
  route: Authorizable,
  actor: TokenActor,
  request: PartnerRequest,
): Promise<Refusal | undefined> {
  const counted = await count(request, actor);
  return counted instanceof Refusal ? counted : authorize(route, actor, request);
}
