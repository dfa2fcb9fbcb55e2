import * as z from "zod";
import { processorOutcomes, unmatchedReasons } from "../contract/closed-sets.ts";
import { currency, id, money, timestamp } from "../contract/fields.ts";

/** A payment processor event as admins see it. docs/decisions/0020 says which of its ids are shown. */
export const ProcessorEventRecord = z.object({
  id: z.string().meta({ description: "The processor's id for the event" }),
  type: z.string(),
  outcome: z.enum(processorOutcomes),
  unmatched_reason: z.enum(unmatchedReasons).nullable(),
  amount: money.nullable().meta({ description: "For a refund, the total refunded from the charge so far" }),
  currency: currency.nullable(),
  invoice_id: id.nullable(),
  payment_id: id.nullable(),
  deposit_id: id.nullable(),
  occurred_at: timestamp,
  received_at: timestamp,
});
export type ProcessorEventRecord = z.output<typeof ProcessorEventRecord>;
