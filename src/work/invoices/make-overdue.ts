import { and, asc, type SQLWrapper, sql } from "drizzle-orm";
import { build, rows, statement } from "../../db/build.ts";
import { inBatches } from "../../db/in-batches.ts";
import { isIn } from "../../db/is-in.ts";
import { mapped, type Query, run } from "../../db/query.ts";
import { roundRobin } from "../../db/round-robin.ts";
import { invoices } from "./tables.ts";

/** Limits how many invoices one statement changes, so that their events fit into one transaction. */
const stepLimits = { maxRows: 200, maxBatches: 25 };

/** Literals instead of parameters, so that SQLite can use its partial indexes. */
const isUnsettled = sql`${invoices.status} IN ('open', 'partially_paid') AND ${invoices.due_date} IS NOT NULL`;
const isOverdue = sql`${isUnsettled} AND ${invoices.due_date} < date('now')`;

const overdue = { id: invoices.id };
const ids = (built: SQLWrapper) => mapped(rows(overdue, built), (found) => found.map(({ id }) => id));

/**
 * Finds overdue invoices, oldest due date first. Reads only their rows, and one more, from the index
 * invoices_unsettled.
 */
export function findOverdueInvoices(): Query<string[]> {
  const oldest = build.select(overdue).from(invoices).where(isOverdue).orderBy(asc(invoices.due_date));
  return ids(oldest.limit(stepLimits.maxRows));
}

/** Finds overdue invoices with organizations taking turns, using the index invoices_unsettled_of. */
export const findOverdueAround = (): Query<string[]> =>
  ids(
    roundRobin(sql`${invoices.id}`, {
      table: invoices,
      organization: invoices.organization_id,
      dueAt: invoices.due_date,
      isWaiting: isUnsettled,
      isDue: isOverdue,
      limit: stepLimits.maxRows,
    }),
  );

/** Makes the given invoices overdue, except those that were paid or voided in the meantime. */
function makeOverdue(ids: readonly string[]): Query<void> {
  const found = isIn(invoices.id, ids);
  return statement(build.update(invoices).set({ status: "overdue" }).where(and(found, isOverdue)));
}

/**
 * Makes unpaid invoices overdue from the day after their due date (UTC). A trigger records the event. If the first
 * query does not return all of them, organizations take turns in the queries after it.
 */
export function makeInvoicesOverdue(db: D1Database): Promise<number> {
  let look = findOverdueInvoices();
  return inBatches(stepLimits, async () => {
    const found = await run(db, look);
    if (found.length > 0) await run(db, makeOverdue(found));
    look = findOverdueAround();
    return found.length;
  });
}
