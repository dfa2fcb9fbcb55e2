import { webhookLimits } from "../../catalogue/webhook-limits.ts";
import { batch, type Query, statement } from "../../db/query.ts";

/** Events per transaction; with their deliveries and attempts a few thousand rows. */
const eventsPerBatch = 200;
/** More than this many batches are left to the next minute. */
const batchesPerMinute = 10;

const oldSql = `SELECT id FROM events WHERE created_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${webhookLimits.keptDays} days')
  ORDER BY created_at, rowid LIMIT ${eventsPerBatch}`;
const deliveriesSql = `SELECT id FROM webhook_deliveries WHERE event_id IN (${oldSql})`;

/** The events last: the other two find their rows by them. */
export const purgeSteps = [
  statement(`DELETE FROM webhook_attempts WHERE delivery_id IN (${deliveriesSql})`),
  statement(`DELETE FROM webhook_deliveries WHERE event_id IN (${oldSql})`),
  {
    sql: `DELETE FROM events WHERE id IN (${oldSql}) RETURNING id`,
    params: [],
    read: (rows) => rows.length,
  } satisfies Query<number>,
] as const;

/** Forgets events past their retention, with their deliveries and attempts, in bounded batches, oldest first. */
export async function purgeEvents(db: D1Database): Promise<number> {
  let purged = 0;
  for (let round = 0; round < batchesPerMinute; round += 1) {
    const [, , events] = await batch(db, purgeSteps);
    purged += events;
    if (events < eventsPerBatch) break;
  }
  return purged;
}
