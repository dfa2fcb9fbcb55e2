import { retryable } from "cloudflare:durable-objects";
import { DurableObject } from "cloudflare:workers";
import { sendingLimits } from "../contract/webhook-limits.ts";

interface GivenPlaces {
  /** How many of each organization's POSTs may start now. */
  granted: Record<string, number>;
  /** When those that have no place may ask again, at least 1. */
  waitSeconds: number;
}

/**
 * The pace of one receiving host: how many POSTs may start in a second, over all workspaces and isolates. It keeps
 * nothing: an object that is moved forgets one second.
 */
export class ReceiverPace extends DurableObject<Env> {
  static {
    retryable(ReceiverPace.prototype.take);
  }

  #second = { startSeconds: 0, granted: 0, refused: 0, ofOrganization: new Map<string, number>() };

  /** Gives places of this second to organizations that want so many; no organization gets all of them. */
  take(wanted: Record<string, number>): GivenPlaces {
    const startSeconds = Math.floor(Date.now() / 1000);
    if (this.#second.startSeconds !== startSeconds)
      this.#second = { startSeconds, granted: 0, refused: 0, ofOrganization: new Map() };
    const { ofOrganization } = this.#second;
    const granted: Record<string, number> = {};
    for (const [organizationId, count] of Object.entries(wanted)) {
      const taken = ofOrganization.get(organizationId) ?? 0;
      const room = Math.min(
        sendingLimits.postsToHostPerSecond - this.#second.granted,
        sendingLimits.postsToHostOfOrganization - taken,
      );
      const places = Math.max(0, Math.min(count, room));
      ofOrganization.set(organizationId, taken + places);
      this.#second.granted += places;
      this.#second.refused += count - places;
      granted[organizationId] = places;
    }
    // Spread over the seconds that they need, so that not all of them ask again in the next one.
    const waitSeconds = Math.ceil((this.#second.refused + 1) / sendingLimits.postsToHostPerSecond);
    return { granted, waitSeconds: Math.min(waitSeconds, sendingLimits.placeWaitSeconds) };
  }
}
