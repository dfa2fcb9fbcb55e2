import type { processorEventKinds, unmatchedReasons } from "../contract/closed-sets.ts";

type UnmatchedReason = (typeof unmatchedReasons)[number];

/** An event of the payment processor, in our terms. It contains only what the event itself says. */
export interface ProcessorEvent {
  /** The processor's event id. */
  id: string;
  type: string;
  /** When it happened at the processor. */
  occurredAt: string;
  kind: (typeof processorEventKinds)[number];
  /** The processor's id of the payment; all events of one payment share it. */
  processorPaymentId: string | null;
  /** The processor's id of the refunded charge, or of the dispute. */
  processorReversalId: string | null;
  /** The amount that was paid or returned; for a refund, the total refunded from its charge so far. */
  amountMinor: number | null;
  currency: string | null;
  /** The record that the payment is for, as given by the caller who requested the payment. */
  invoiceId: string | null;
  depositId: string | null;
  /** Why the event can have no effect, whatever the workspace contains. */
  problem: UnmatchedReason | null;
}
