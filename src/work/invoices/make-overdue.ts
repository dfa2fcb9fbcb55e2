import { and, asc, inArray, sql } from "drizzle-orm";
import { build, rows, statement } from "../../db/build.ts";
import { inRounds } from "../../db/in-rounds.ts";
import { mapped, type Query, run } from "../../db/query.ts";
import { invoices } from "./tables.ts";

/** A statement changes at most this many, so that their events fit into one transaction. */
const stepLimits = { maxRows: 200, maxRounds: 25 };

/** Raw literals show SQLite that its partial index invoices_unsettled holds every such row. */
const isOverdue = sql`${invoices.status} IN ('open', 'partially_paid') AND ${invoices.due_date} IS NOT NULL
  AND ${invoices.due_date} < date('now')`;

const overdue = { id: invoices.id };

/**
 * The overdue invoices, oldest due date first. The query reads them and one row more from the index invoices_unsettled.
 */
export function findOverdueInvoices(): Query<string[]> {
  const oldest = build.select(overdue).from(invoices).where(isOverdue).orderBy(asc(invoices.due_date));
  return mapped(rows(overdue, oldest.limit(stepLimits.maxRows)), (found) => found.map(({ id }) => id));
}

/** Makes those of the invoices overdue that were not paid or voided meanwhile. */
function makeOverdue(ids: readonly string[]): Query<void> {
  const found = inArray(invoices.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`);
  return statement(build.update(invoices).set({ status: "overdue" }).where(and(found, isOverdue)));
}

/** Makes unpaid invoices overdue from the day after their due date (UTC); the transition records the event. */
export const makeInvoicesOverdue = (db: D1Database): Promise<number> =>
  inRounds(stepLimits, async () => {
    const ids = await run(db, findOverdueInvoices());
    if (ids.length > 0) await run(db, makeOverdue(ids));
    return ids.length;
  });
