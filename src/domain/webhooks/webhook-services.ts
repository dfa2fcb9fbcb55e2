import type { TargetOptions } from "./public-address.ts";

/**
 * A wake-up for one delivery: an id and the lease it was claimed under. The lease is the fencing token: whoever holds
 * one that the row no longer has, has lost the delivery to another, or to nobody because it was settled or held.
 */
export interface LeasedId {
  id: string;
  /** The row's next_attempt_at since the claim: when the lease ends. */
  lease: string;
}

/** The fast queue, and the one for endpoints that hang or keep failing. */
export type QueueName = "fast" | "slow";
export type DeliveryQueues = Readonly<Record<QueueName, Queue<LeasedId>>>;

/** What waking deliveries needs. */
export interface WakingServices {
  db: D1Database;
  queues: DeliveryQueues;
}

/** What sending them needs; the composition root makes it from the bindings. */
export interface SendingServices extends WakingServices {
  fetch: typeof fetch;
  target: TargetOptions;
  /** Opens the endpoints' secrets (platform/encryption.ts). */
  secretKey: string;
  /** Uniform in [0, 1), as Math.random. */
  random(): number;
}
