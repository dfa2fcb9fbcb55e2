import { and, eq, isNull, sql } from "drizzle-orm";
import { build, row, statement } from "../db/build.ts";
import { batch, required, run } from "../db/query.ts";
import { deposits } from "../work/deposits/tables.ts";
import { invoices, payments } from "../work/invoices/tables.ts";
import type { ProcessorEvent } from "./processor-event.ts";
import { processorEvents } from "./tables.ts";

/**
 * Whether an event belongs to this cell. It does if the cell has the event itself, its invoice, deposit or payment, or
 * another event about the same payment that belongs to a workspace. Events that change nothing belong to the first
 * cell.
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

/** Deletes an event, unless it belongs to a workspace. Returns false if it does. */
export async function forgetEvent(db: D1Database, id: string): Promise<boolean> {
  const left = { id: processorEvents.id };
  const [, kept] = await batch(db, [
    statement(
      build
        .delete(processorEvents)
        .where(and(eq(processorEvents.id, id), isNull(processorEvents.organization_id))),
    ),
    row(left, build.select(left).from(processorEvents).where(eq(processorEvents.id, id))),
  ]);
  return kept === null;
}
