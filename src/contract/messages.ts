import * as z from "zod";

/** Messages on the queues, and between the Worker and its Durable Objects. */

/**
 * The message for one delivery: its id and the lease under which it was enqueued. The lease is a fencing token: if the
 * row has a different value, the delivery belongs to another message, or has been settled or held.
 */
export interface LeasedId {
  id: string;
  /** When the lease ends. Equals the row's next_attempt_at after leasing. */
  lease: string;
}

/**
 * Includes the host, so that the consumer can reserve POSTs to it while the delivery loads. The previous release omits
 * it.
 */
export interface DeliveryMessage extends LeasedId {
  organization_id?: string;
  /** The endpoint's host at the time of the lease. */
  host?: string;
}

/**
 * `slow` is for bursts and slow endpoints, `failing` for endpoints that hang or keep failing, and `fast` for all
 * others.
 */
export type QueueName = "fast" | "slow" | "failing";
export type DeliveryQueues = Readonly<Record<QueueName, Queue<DeliveryMessage>>>;

/** A sent e-mail, with everything needed to write its row and ledger entry later. */
export const SendRecord = z.object({
  id: z.string(),
  organizationId: z.string(),
  /** The key of its ledger entry. */
  key: z.string(),
  /** Null if unknown, because the send was inserted with plain SQL. */
  actorId: z.string().nullable(),
  deliverableId: z.string(),
  versionNumber: z.int(),
  message: z.string().nullable(),
  sentAt: z.string(),
  /** The warning that the response included. Null if the database decides which warning is due. */
  answeredWarning: z.string().nullable(),
  /** The mail service's id, without angle brackets. Null if the previous release recorded the e-mail. */
  messageId: z.string().nullable().default(null),
  /** Days until the client is reminded. Null for the workspace's default. */
  remindAfterDays: z.int().nullable().default(null),
  /** Which reminder this is. Null for a send. */
  reminder: z.int().nullable().default(null),
});
export type SendRecord = z.output<typeof SendRecord>;

/** How many POSTs to one host may start now. */
export interface PaceGrant {
  /** By organization, how many POSTs may start now. */
  granted: Record<string, number>;
  /** By organization, how many seconds POSTs that may not start yet wait before they try again. At least 1. */
  waitSeconds: Record<string, number>;
}
