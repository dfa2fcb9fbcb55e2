import { inRounds } from "../db/in-rounds.ts";
import { type Query, run, statement } from "../db/query.ts";

/** A statement changes at most this many, so that their events fit into one transaction. */
const limits = { most: 200, rounds: 25 };

const isOverdue = "status IN ('open', 'partially_paid') AND due_date IS NOT NULL AND due_date < date('now')";

/** Read off the partial index invoices_unsettled, the oldest due dates first: what is overdue and one more. */
export const overdueInvoices: Query<string[]> = {
  sql: `SELECT id FROM invoices WHERE ${isOverdue} ORDER BY due_date LIMIT ${limits.most}`,
  params: [],
  read: (rows) => rows.map(({ id }) => id),
};

/** Makes unsettled invoices overdue from the day after their due date (UTC); the transition records the event. */
export const makeInvoicesOverdue = (db: D1Database): Promise<number> =>
  inRounds(limits, async () => {
    const ids = await run(db, overdueInvoices);
    if (ids.length > 0) await run(db, makeOverdue(ids));
    return ids.length;
  });

/** Those of them that were not settled meanwhile. */
const makeOverdue = (ids: readonly string[]): Query<void> =>
  statement(
    `UPDATE invoices SET status = 'overdue' WHERE id IN (SELECT value FROM json_each(?)) AND ${isOverdue}`,
    JSON.stringify(ids),
  );
