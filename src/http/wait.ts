import { secondsToReset } from "../contract/rate-window.ts";
import { Refusal } from "../contract/refusal.ts";
import { waitLimits } from "../contract/wait-limits.ts";
import { batch } from "../db/query.ts";
import { report, span } from "../platform/log.ts";
import { findPrincipal, type Principal } from "../workspace/tokens/principal.ts";
import { askCoordinator } from "./ask-coordinator.ts";
import { authenticate } from "./check-caller.ts";
import type { PartnerRequest } from "./partner-request.ts";
import { rateHeaders, rateLimited } from "./responses.ts";
import type { Wait } from "./route.ts";

/**
 * Queries until there is something to return, the time is up or the client has disconnected. Each query authenticates
 * the token again in the same round trip. Its scopes cannot change.
 */
export async function waitFor<T>(
  request: PartnerRequest,
  principal: Principal,
  { first, seconds, isOver, look }: Wait<T>,
): Promise<T | Refusal> {
  if (seconds === 0 || isOver(first)) return first;
  const endsMs = Date.now() + seconds * 1000;
  const coordinator = request.services.coordinators.getByName(principal.organizationId);
  const place = { tokenId: principal.tokenId, holder: request.id };
  const begun = await askCoordinator(coordinator.beginWait({ ...place, milliseconds: seconds * 1000 }));
  if (!begun) return rateLimited(waitLimits.retrySeconds);
  // Errors during the wait have no window headers, like errors before the count.
  request.setHeaders({ "RateLimit-Reset": undefined });
  const waiting = pollUntil(endsMs).finally(() => {
    // An expired slot becomes free without a call.
    if (Date.now() >= endsMs) return;
    request.waitUntil(coordinator.endWait(place).catch((error) => report({ failed: "endWait" }, error)));
  });
  // The slot is released and the request is logged even if the client has disconnected.
  request.waitUntil(waiting.catch(() => {}));
  const found = await waiting;
  if (!(found instanceof Refusal))
    request.setHeaders(rateHeaders(principal.requestsPerMinute, secondsToReset(Date.now())));
  return found;

  async function pollUntil(endsMs: number): Promise<T | Refusal> {
    const { signal } = request.raw;
    for (let found = first; ; ) {
      const leftMs = endsMs - Date.now();
      if (leftMs <= 0 || signal.aborted || isOver(found)) return found;
      const pauseMs = Math.min(leftMs, waitLimits.lookMilliseconds);
      await span("waited_ms", scheduler.wait(pauseMs, { signal })).catch(() => {});
      if (signal.aborted) return found;
      const [again, result] = await batch(request.services.db, [
        findPrincipal(request.tokenHash),
        look(found),
      ]);
      const judged = authenticate(again, request);
      if (judged instanceof Refusal) return judged;
      found = result;
    }
  }
}
