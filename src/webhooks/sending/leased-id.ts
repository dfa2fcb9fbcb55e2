/**
 * The message of one delivery: its id and the lease under which it was enqueued. The lease is the fencing token: if the
 * row has another value, another message has the delivery, or it was settled or held.
 */
export interface LeasedId {
  id: string;
  /** When the lease ends: the row's next_attempt_at since it was leased. */
  lease: string;
}

/** The fast queue, the one for bursts and slow endpoints, and the one for endpoints that hang or keep failing. */
export type QueueName = "fast" | "slow" | "failing";
export type DeliveryQueues = Readonly<Record<QueueName, Queue<LeasedId>>>;
