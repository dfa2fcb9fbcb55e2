import { retryable } from "cloudflare:durable-objects";
import { DurableObject } from "cloudflare:workers";
import type { PaceGrant } from "../contract/messages.ts";
import { sendingLimits } from "../contract/webhook-limits.ts";

interface Waiting {
  /** The latest time at which the organization's POSTs try again. */
  untilMs: number;
  /** The second in which `count` POSTs were told to wait. */
  startSeconds: number;
  count: number;
}

/** POSTs from one organization that started at the same time. */
interface Start {
  atMs: number;
  organizationId: string;
  count: number;
}

const windowMs = 1_000;

/** POSTs that have to wait return through a queue, up to this much later than requested. */
const lateMs = 2_000;

/**
 * Limits how many POSTs to one host start per second, across all workspaces and isolates. State is held in memory, so
 * if the platform moves the object, one second is lost.
 */
export class ReceiverPace extends DurableObject<Env> {
  static {
    retryable(ReceiverPace.prototype.take);
  }

  /** POSTs from the last second, oldest first. */
  #starts: Start[] = [];
  #waiting = new Map<string, Waiting>();

  /** Grants POSTs to organizations. The organizations that wait share each second. */
  take(wanted: Record<string, number>): PaceGrant {
    const nowMs = Date.now();
    this.#starts = this.#starts.filter(({ atMs }) => nowMs - atMs < windowMs);
    for (const [id, { untilMs }] of this.#waiting) if (untilMs + lateMs <= nowMs) this.#waiting.delete(id);
    const given: PaceGrant = { granted: {}, waitSeconds: {} };
    for (const [organizationId, count] of Object.entries(wanted)) {
      const granted = Math.max(0, Math.min(count, this.#roomOf(organizationId)));
      if (granted > 0) this.#starts.push({ atMs: nowMs, organizationId, count: granted });
      given.granted[organizationId] = granted;
      given.waitSeconds[organizationId] = this.#wait(organizationId, count - granted, nowMs);
    }
    return given;
  }

  /**
   * Returns how many POSTs an organization may start now: as many as the others leave, and at least its share if it is
   * waiting.
   */
  #roomOf(organizationId: string): number {
    const { postsToHostPerSecond, postsToHostOfOrganization } = sendingLimits;
    const left = postsToHostPerSecond - countOf(this.#starts);
    const share = this.#shareWith(organizationId);
    const own = this.#countOf(organizationId);
    let kept = 0;
    for (const [id, { count }] of this.#waiting) {
      if (id !== organizationId) kept += Math.max(0, Math.min(count, share) - this.#countOf(id));
    }
    const itsShare = this.#waiting.has(organizationId) ? share - own : 0;
    return Math.min(left, postsToHostOfOrganization - own, Math.max(left - kept, itsShare));
  }

  /** Returns how many POSTs per second each organization gets when this one and the waiting ones share them. */
  #shareWith(organizationId: string): number {
    const sharing = new Set([organizationId, ...this.#waiting.keys()]).size;
    const { postsToHostPerSecond, postsToHostOfOrganization } = sendingLimits;
    return Math.min(postsToHostOfOrganization, Math.max(1, Math.floor(postsToHostPerSecond / sharing)));
  }

  #countOf(organizationId: string): number {
    return countOf(this.#starts.filter((start) => start.organizationId === organizationId));
  }

  /**
   * Spreads the POSTs that have to wait over as many seconds as needed, so that they do not all return in the next
   * second.
   */
  #wait(organizationId: string, refused: number, nowMs: number): number {
    const before = this.#waiting.get(organizationId);
    if (refused === 0) {
      if (before && before.untilMs <= nowMs) this.#waiting.delete(organizationId);
      return 1;
    }
    const startSeconds = Math.floor(nowMs / 1000);
    const count = refused + (before?.startSeconds === startSeconds ? before.count : 0);
    const seconds = Math.min(
      Math.ceil(count / this.#shareWith(organizationId)),
      sendingLimits.paceWaitSeconds,
    );
    const untilMs = Math.max(before?.untilMs ?? 0, nowMs + seconds * 1000);
    this.#waiting.set(organizationId, { untilMs, startSeconds, count });
    return seconds;
  }
}

const countOf = (starts: readonly Start[]): number => starts.reduce((sum, { count }) => sum + count, 0);
