import { eq } from "drizzle-orm";
import { build, row, statement } from "../db/build.ts";
import { mapped, type Query, runLast } from "../db/query.ts";
import type { ProcessorEvent } from "./processor-event.ts";
import { reconcile } from "./reconcile.ts";
import { processorEvents } from "./tables.ts";

/**
 * Records a payment processor event, its consequences and its outcome in one transaction. A repeated event changes
 * nothing, unless a record that it needs has been created in the meantime. Returns the workspace that it changed.
 */
export async function receiveEvent(
  db: D1Database,
  event: ProcessorEvent,
): Promise<{ organizationId: string | null }> {
  return { organizationId: await runLast(db, [...receipt(event), organizationOf(event.id)]) };
}

/** Builds the statements that record an event and its consequences. */
export const receipt = (event: ProcessorEvent): Query<void>[] => [
  keep(event),
  ...(event.processorPaymentId === null ? [] : reconcile(event.kind, event.processorPaymentId)),
];

const keep = (event: ProcessorEvent): Query<void> =>
  statement(
    build
      .insert(processorEvents)
      .values({
        id: event.id,
        type: event.type,
        kind: event.kind,
        outcome: event.kind === "other" && event.problem === null ? "ignored" : "unmatched",
        unmatched_reason: event.problem ?? (event.kind === "other" ? null : "names_nothing"),
        processor_payment_id: event.processorPaymentId,
        processor_reversal_id: event.processorReversalId,
        amount_minor: event.amountMinor,
        currency: event.currency,
        named_invoice: event.invoiceId,
        named_deposit: event.depositId,
        occurred_at: event.occurredAt,
      })
      .onConflictDoNothing(),
  );

const moved = { organization_id: processorEvents.organization_id };

const organizationOf = (id: string): Query<string | null> =>
  mapped(
    row(moved, build.select(moved).from(processorEvents).where(eq(processorEvents.id, id))),
    (found) => found?.organization_id ?? null,
  );
