import type { processorEventKinds, unmatchedReasons } from "../contract/closed-sets.ts";

type UnmatchedReason = (typeof unmatchedReasons)[number];

/** A payment processor event in our own format. It contains only data from the event itself. */
export interface ProcessorEvent {
  id: string;
  type: string;
  /** When the event happened, according to the processor. */
  occurredAt: string;
  kind: (typeof processorEventKinds)[number];
  /** The processor's payment id, shared by all events of one payment. */
  processorPaymentId: string | null;
  /** The processor's id for the refunded charge or the dispute. */
  processorReversalId: string | null;
  /** The amount paid or returned. For a refund, the total refunded from its charge so far. */
  amountMinor: number | null;
  currency: string | null;
  /** The record that the payment is for, as given when the payment was requested. */
  invoiceId: string | null;
  depositId: string | null;
  /** Why the event cannot have an effect, regardless of the workspace's records. */
  problem: UnmatchedReason | null;
}
