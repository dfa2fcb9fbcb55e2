import { webhookLimits } from "../../contract/webhook-limits.ts";
import { inRounds } from "../../db/in-rounds.ts";
import { batch, type Query, run, statement } from "../../db/query.ts";

/** Events per transaction; with their deliveries and attempts a few thousand rows. */
const limits = { most: 200, rounds: 10 };

/** Read off the index events_by_age: what is too old and one more. */
export const oldEvents: Query<string[]> = {
  sql: `SELECT id FROM events WHERE created_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${webhookLimits.keptDays} days')
ORDER BY created_at, rowid LIMIT ${limits.most}`,
  params: [],
  read: (rows) => rows.map(({ id }) => id),
};

/** The events last: the other two find their rows by them. */
export function forget(eventIds: readonly string[]): Query<void>[] {
  const ids = JSON.stringify(eventIds);
  const deliveries = "FROM webhook_deliveries WHERE event_id IN (SELECT value FROM json_each(?))";
  return [
    statement(`DELETE FROM webhook_attempts WHERE delivery_id IN (SELECT id ${deliveries})`, ids),
    statement(`DELETE ${deliveries}`, ids),
    statement("DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))", ids),
  ];
}

/** Forgets events past their retention, with their deliveries and attempts, in bounded batches, oldest first. */
export const purgeEvents = (db: D1Database): Promise<number> =>
  inRounds(limits, async () => {
    const eventIds = await run(db, oldEvents);
    if (eventIds.length > 0) await batch(db, forget(eventIds));
    return eventIds.length;
  });
