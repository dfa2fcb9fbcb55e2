import * as z from "zod";

/** What travels on the queues, and between the Worker and its Durable Objects. */

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

/** A mail that went out: all that its row and its line in the ledger need, also if they are written later. */
export const SendRecord = z.object({
  id: z.string(),
  organizationId: z.string(),
  /** Of its line in the ledger. */
  key: z.string(),
  actorId: z.string(),
  deliverableId: z.string(),
  versionNumber: z.int(),
  message: z.string().nullable(),
  sentAt: z.string(),
  /** The warning that the answer already gave; null: the database decides which warning is due. */
  answeredWarning: z.string().nullable(),
});
export type SendRecord = z.output<typeof SendRecord>;

/** What a host's pace answers. */
export interface Places {
  /** How many of each organization's POSTs may start now. */
  granted: Record<string, number>;
  /** When those of an organization that have no place may ask again, at least 1. */
  waitSeconds: Record<string, number>;
}
