import { retryable } from "cloudflare:durable-objects";
import { DurableObject } from "cloudflare:workers";
import { sendingLimits } from "../contract/webhook-limits.ts";

interface GivenPlaces {
  /** How many of each organization's POSTs may start now. */
  granted: Record<string, number>;
  /** When those that have no place may ask again, at least 1. */
  waitSeconds: number;
}

/** The POSTs of one organization that started at one instant. */
interface Start {
  atMs: number;
  organizationId: string;
  count: number;
}

const windowMs = 1_000;

/**
 * The pace of one receiving host: how many POSTs may start within any second, over all workspaces and isolates. It
 * keeps nothing: an object that is moved forgets one second.
 */
export class ReceiverPace extends DurableObject<Env> {
  static {
    retryable(ReceiverPace.prototype.take);
  }

  /** Of the last second, the oldest first. */
  #starts: Start[] = [];
  /** Places refused in the present second of the clock. */
  #refused = { startSeconds: 0, count: 0 };

  /** Gives places to organizations that want so many; no organization gets all places of a second. */
  take(wanted: Record<string, number>): GivenPlaces {
    const nowMs = Date.now();
    const startSeconds = Math.floor(nowMs / 1000);
    this.#starts = this.#starts.filter(({ atMs }) => nowMs - atMs < windowMs);
    if (this.#refused.startSeconds !== startSeconds) this.#refused = { startSeconds, count: 0 };
    const granted: Record<string, number> = {};
    for (const [organizationId, count] of Object.entries(wanted)) {
      const own = this.#starts.filter((start) => start.organizationId === organizationId);
      const room = Math.min(
        sendingLimits.postsToHostPerSecond - placesOf(this.#starts),
        sendingLimits.postsToHostOfOrganization - placesOf(own),
      );
      const places = Math.max(0, Math.min(count, room));
      if (places > 0) this.#starts.push({ atMs: nowMs, organizationId, count: places });
      this.#refused.count += count - places;
      granted[organizationId] = places;
    }
    // Spread over the seconds that they need, so that not all of them ask again in the next one.
    const waitSeconds = Math.ceil((this.#refused.count + 1) / sendingLimits.postsToHostPerSecond);
    return { granted, waitSeconds: Math.min(waitSeconds, sendingLimits.placeWaitSeconds) };
  }
}

const placesOf = (starts: readonly Start[]): number => starts.reduce((sum, { count }) => sum + count, 0);
