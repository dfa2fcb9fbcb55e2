import { sql } from "drizzle-orm";
import { paymentReversals, processorEvents } from "../schema/processor.ts";
import { before, type RowNamed, raise, type Statement } from "../trigger.ts";

/** What the payment processor reports, and the money that it took back. */
export const processorTriggers: readonly Statement[] = [
  before(processorEvents, "INSERT", "reason", ({ NEW }) => reasonOf(NEW)),
  before(processorEvents, ["outcome", "unmatched_reason"], "reason_moves", ({ NEW }) => reasonOf(NEW)),
  // A reversal is written once.
  before(paymentReversals, "INSERT", "sign", ({ NEW }) => ({
    when: sql`iif(${NEW.kind} = 'dispute_won', ${NEW.amount_minor} >= 0, ${NEW.amount_minor} <= 0)`,
    do: raise("reversal_sign_wrong"),
  })),
];

function reasonOf(event: RowNamed<typeof processorEvents>) {
  return {
    when: sql`(${event.outcome} = 'unmatched') <> (${event.unmatched_reason} IS NOT NULL)`,
    do: raise("reason_only_if_unmatched"),
  };
}
