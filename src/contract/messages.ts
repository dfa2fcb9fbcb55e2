import * as z from "zod";

/** The messages on the queues, and between the Worker and its Durable Objects. */

/**
 * The message of one delivery: its id and the lease under which it was enqueued. The lease is the fencing token: if the
 * row has another value, another message has the delivery, or it was settled or held.
 */
export interface LeasedId {
  id: string;
  /** When the lease ends: the row's next_attempt_at since it was leased. */
  lease: string;
}

/** The same with what its host's pace is asked for while it loads. Messages of the release before lack that. */
export interface DeliveryMessage extends LeasedId {
  organization_id?: string;
  /** The host of its endpoint when it was leased. */
  host?: string;
}

/** The fast queue, the queue for bursts and slow endpoints, and the queue for endpoints that hang or keep failing. */
export type QueueName = "fast" | "slow" | "failing";
export type DeliveryQueues = Readonly<Record<QueueName, Queue<DeliveryMessage>>>;

/** A sent e-mail: all that its row and its ledger entry need, even if they are written later. */
export const SendRecord = z.object({
  id: z.string(),
  organizationId: z.string(),
  /** For its ledger entry. */
  key: z.string(),
  /** null: unknown, because the send was recorded in plain SQL. */
  actorId: z.string().nullable(),
  deliverableId: z.string(),
  versionNumber: z.int(),
  message: z.string().nullable(),
  sentAt: z.string(),
  /** The warning that the response already gave; null: the database decides which warning is due. */
  answeredWarning: z.string().nullable(),
  /** As the mail service returned it, without angle brackets; null: a record of the release before. */
  messageId: z.string().nullable().default(null),
  /** Days until the client is reminded; null: the workspace's setting. */
  remindAfterDays: z.int().nullable().default(null),
  /** The number of a reminder; null for a send. */
  reminder: z.int().nullable().default(null),
});
export type SendRecord = z.output<typeof SendRecord>;

/** The response of a host's pace. */
export interface Places {
  /** How many of each organization's POSTs may start now. */
  granted: Record<string, number>;
  /** When an organization's refused POSTs may be requested again, at least 1. */
  waitSeconds: Record<string, number>;
}
