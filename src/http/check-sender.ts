import { Refusal } from "../contract/refusal.ts";
import { run } from "../db/query.ts";
import { findTokenActor } from "../workspace/tokens/principal.ts";
import { type Authorizable, authenticate, authorize } from "./authenticate.ts";
import type { PartnerRequest } from "./partner-request.ts";
import { count } from "./rate-window.ts";
import { bytesToRead, isLargeBody } from "./read-body.ts";
import { rateLimited } from "./responses.ts";
import {
  isKnownToken,
  isLimited,
  isRefusedSender,
  reserveLargeBody,
  reserveUncountedRead,
} from "./senders.ts";

/** What is known about the sender before the body is read. */
export interface Sender {
  /** Whether the request was already counted. */
  isCounted: boolean;
  /** Releases the slot for a large body or an uncounted read. */
  release?: () => void;
}

/**
 * Authenticates the sender before the body is read. A token that is new to this isolate costs an extra round trip to
 * D1. A large body, or a request that must be counted before it reads data, costs another one to the coordinator.
 */
export async function checkSender(
  route: Authorizable & { maximumBodyBytes: number },
  request: PartnerRequest,
): Promise<Sender | Refusal> {
  const { tokenHash, raw, services, address } = request;
  const isLarge = isLargeBody(raw);
  const reserveRoom = () =>
    isLarge || isLimited(tokenHash, Date.now()) ? undefined : reserveUncountedRead(tokenHash);
  const isExpected = isKnownToken(tokenHash) && !isRefusedSender(tokenHash, address);
  const early = isExpected ? reserveRoom() : undefined;
  if (early) return { isCounted: false, release: early };
  const actor = authenticate(await run(services.db, findTokenActor(tokenHash)), request);
  if (actor instanceof Refusal) return actor;
  const refusal = authorize(route, actor, request);
  const late = refusal ? undefined : reserveRoom();
  if (late) return { isCounted: false, release: late };
  const counted = await count(request, actor);
  const refused = counted instanceof Refusal ? counted : refusal;
  if (refused) return refused;
  if (!isLarge) return { isCounted: true };
  const release = reserveLargeBody(actor.organizationId, bytesToRead(raw, route.maximumBodyBytes));
  return release ? { isCounted: true, release } : rateLimited(largeBodyRetrySeconds);
}

/** By then, another large body has usually been read. */
const largeBodyRetrySeconds = 1;
