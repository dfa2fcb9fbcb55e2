import * as z from "zod";

/** Messages on the queues, and between the Worker and its Durable Objects. */

/**
 * The message for one delivery: its id and the lease under which it was enqueued. The lease is the fencing
 * token: if the row has another value, another message has the delivery, or the delivery was settled or held.
 */
export interface LeasedId {
  id: string;
  /** When the lease ends: the row's next_attempt_at once it is leased. */
  lease: string;
}

/** Includes the host, so that its pace can be requested while the delivery loads. The previous release omits it. */
export interface DeliveryMessage extends LeasedId {
  organization_id?: string;
  /** The endpoint's host at the time of the lease. */
  host?: string;
}

/** The fast queue; the queue for bursts and slow endpoints; the queue for endpoints that hang or keep failing. */
export type QueueName = "fast" | "slow" | "failing";
export type DeliveryQueues = Readonly<Record<QueueName, Queue<DeliveryMessage>>>;

/** A sent e-mail, with everything that its row and ledger entry need, even if they are written later. */
export const SendRecord = z.object({
  id: z.string(),
  organizationId: z.string(),
  /** The key of its ledger entry. */
  key: z.string(),
  /** null: unknown, because the send was recorded in plain SQL. */
  actorId: z.string().nullable(),
  deliverableId: z.string(),
  versionNumber: z.int(),
  message: z.string().nullable(),
  sentAt: z.string(),
  /** The warning that the response included; null: the database decides which warning is due. */
  answeredWarning: z.string().nullable(),
  /** As the mail service returned it, without angle brackets; null: recorded by the previous release. */
  messageId: z.string().nullable().default(null),
  /** Days until the client is reminded; null: the workspace's default. */
  remindAfterDays: z.int().nullable().default(null),
  /** The number of a reminder; null for a send. */
  reminder: z.int().nullable().default(null),
});
export type SendRecord = z.output<typeof SendRecord>;

/** The POSTs to one host that its pace allows. */
export interface PaceGrant {
  /** How many of each organization's POSTs may start now. */
  granted: Record<string, number>;
  /** How long each organization's refused POSTs wait before they ask again, at least 1. */
  waitSeconds: Record<string, number>;
}
