import { and, eq, isNull, sql } from "drizzle-orm";
import { build, row, statement } from "../db/build.ts";
import { type Query, required, run } from "../db/query.ts";
import { deposits } from "../work/deposits/tables.ts";
import { invoices, payments } from "../work/invoices/tables.ts";
import type { ProcessorEvent } from "./processor-event.ts";
import { processorEvents } from "./tables.ts";

/**
 * Whether an event belongs to this cell: the cell has the event, its invoice, deposit or payment, or another event of
 * the payment that belongs to a workspace. Events that change nothing belong to the first cell.
 */
export async function isKnown(db: D1Database, event: ProcessorEvent, isFirst: boolean): Promise<boolean> {
  if (event.kind === "other" && event.problem === null) return isFirst;
  const { id, invoiceId, depositId, processorPaymentId: payment } = event;
  const known = sql<number>`
    EXISTS (SELECT 1 FROM ${processorEvents} WHERE id = ${id})
    OR EXISTS (SELECT 1 FROM ${invoices} WHERE id = ${invoiceId})
    OR EXISTS (SELECT 1 FROM ${deposits} WHERE id = ${depositId} OR processor_payment_id = ${payment})
    OR EXISTS (SELECT 1 FROM ${payments} WHERE processor_payment_id = ${payment})
    OR EXISTS (SELECT 1 FROM ${processorEvents}
      WHERE processor_payment_id = ${payment} AND organization_id IS NOT NULL)`.as("known");
  const query = required(row({ known }, sql`SELECT ${known.sql} AS known`));
  return (await run(db, query)).known === 1;
}

/** Deletes an event that does not belong to a workspace. */
export const forgetEvent = (id: string): Query<void> =>
  statement(
    build
      .delete(processorEvents)
      .where(and(eq(processorEvents.id, id), isNull(processorEvents.organization_id))),
  );
