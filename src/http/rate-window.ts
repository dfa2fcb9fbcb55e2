import type { Refusal } from "../contract/refusal.ts";
import type { Count } from "../durable/organization-coordinator.ts";
import { span } from "../platform/log.ts";
import { orUnavailable } from "../platform/unavailable.ts";
import type { Principal } from "../workspace/tokens/principal.ts";
import { refuseToken } from "./authenticate.ts";
import type { PartnerRequest } from "./partner-request.ts";
import { rateHeaders, rateLimited } from "./responses.ts";
import { fullUntilMs, rememberLimited } from "./senders.ts";

/** Step 7: the organization's rate limit (contract R1). */

export const coordinatorOf = ({ services }: PartnerRequest, { organizationId }: Principal) =>
  services.coordinators.getByName(organizationId);

/** A coordinator responds within milliseconds. After this time, the request gets a 503. */
const coordinatorSeconds = 5;

/** Waits for a coordinator's response. Rejects with `Unavailable` if it does not arrive in time. */
export const askCoordinator = <T>(answer: Promise<T>, waitSeconds = 0): Promise<T> =>
  span("coordinator_ms", orUnavailable((coordinatorSeconds + waitSeconds) * 1000, answer));

/**
 * Counts a request that does not claim a key. A full window is remembered, so that the organization's requests are
 * rejected for the rest of the minute without reading data or calling the coordinator, unless the ceiling has been
 * raised.
 */
export async function count(request: PartnerRequest, principal: Principal): Promise<Refusal | Count> {
  const { requestsPerMinute, tokenId, organizationId } = principal;
  const nowMs = Date.now();
  const untilMs = fullUntilMs(organizationId, requestsPerMinute, nowMs);
  if (untilMs !== undefined) {
    return limitedFor(request, requestsPerMinute, Math.ceil((untilMs - nowMs) / 1000) + 1);
  }
  const counting = coordinatorOf(request, principal).count(requestsPerMinute, tokenId);
  const counted = await askCoordinator(counting);
  return windowOf(request, principal, counted) ?? counted;
}

/** Sets the rate headers, and returns a 429 if the window is full. */
export function windowOf(
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
