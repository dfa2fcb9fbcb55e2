import type { processorEventKinds, unmatchedReasons } from "../contract/closed-sets.ts";

type UnmatchedReason = (typeof unmatchedReasons)[number];

/** What one event of the payment processor says, in our terms: only facts, whatever else has or has not arrived. */
export interface ProcessorEvent {
  /** The processor's id of the event. */
  id: string;
  type: string;
  /** When it happened at the processor. */
  occurredAt: string;
  kind: (typeof processorEventKinds)[number];
  /** The processor's id of the payment that it is about; every event of one payment names the same. */
  processorPaymentId: string | null;
  /** The processor's id of what takes money back: the charge that is refunded, the dispute. */
  processorReversalId: string | null;
  /** What came, what was taken back, or of a refund all that was ever refunded of its charge. */
  amountMinor: number | null;
  currency: string | null;
  /** The record that the money is for, as written by the caller who asked for the payment. */
  invoiceId: string | null;
  depositId: string | null;
  /** Why nothing can follow from it, whatever the workspace holds. */
  problem: UnmatchedReason | null;
}
