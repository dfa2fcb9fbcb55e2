import { type Query, run } from "../db/query.ts";

/** A statement changes at most this many, so that their events fit into one transaction. */
const invoicesPerBatch = 200;
/** More than this many batches are left to the next minute. */
const batchesPerMinute = 25;

/** Reads the oldest due dates off the partial index invoices_unsettled: what is due and one more. */
const overdueQuery: Query<number> = {
  sql: `
UPDATE invoices SET status = 'overdue' WHERE id IN (
  SELECT id FROM invoices WHERE status IN ('open', 'partially_paid') AND due_date IS NOT NULL AND due_date < date('now')
  ORDER BY due_date LIMIT ${invoicesPerBatch})
RETURNING id`,
  params: [],
  read: (rows) => rows.length,
};

/** Makes unsettled invoices overdue from the day after their due date (UTC); the transition records the event. */
export async function makeInvoicesOverdue(db: D1Database): Promise<number> {
  let made = 0;
  for (let batch = 0; batch < batchesPerMinute; batch += 1) {
    const changed = await run(db, overdueQuery);
    made += changed;
    if (changed < invoicesPerBatch) break;
  }
  return made;
}
