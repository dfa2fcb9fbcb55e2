import { asc, inArray, lt, sql } from "drizzle-orm";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import { build, rows, statement } from "../../db/build.ts";
import { nowWith } from "../../db/columns.ts";
import { inRounds } from "../../db/in-rounds.ts";
import { batch, mapped, type Query, run } from "../../db/query.ts";
import { events, webhookDeliveries } from "../../workspace/events/tables.ts";
import { webhookAttempts } from "./tables.ts";

/** Events per transaction; with their deliveries and attempts a few thousand rows. */
const stepLimits = { maxRows: 200, maxRounds: 10 };

const old = { id: events.id };

/** The oldest events past their retention. The query reads them and one row more from the index events_by_age. */
export function findOldEvents(): Query<string[]> {
  const isOld = lt(events.created_at, nowWith(`-${webhookLimits.keptDays} days`));
  const oldest = build.select(old).from(events).where(isOld).orderBy(asc(events.created_at), sql`rowid`);
  return mapped(rows(old, oldest.limit(stepLimits.maxRows)), (found) => found.map(({ id }) => id));
}

/** The events go last, because the other two statements find their rows by them. */
export function deleteEvents(eventIds: readonly string[]): Query<void>[] {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(eventIds)}))`;
  const ofEvents = inArray(webhookDeliveries.event_id, ids);
  const deliveryIds = build.select({ id: webhookDeliveries.id }).from(webhookDeliveries).where(ofEvents);
  return [
    statement(build.delete(webhookAttempts).where(inArray(webhookAttempts.delivery_id, deliveryIds))),
    statement(build.delete(webhookDeliveries).where(ofEvents)),
    statement(build.delete(events).where(inArray(events.id, ids))),
  ];
}

/** Deletes events past their retention, with their deliveries and attempts, in bounded batches, oldest first. */
export const purgeEvents = (db: D1Database): Promise<number> =>
  inRounds(stepLimits, async () => {
    const eventIds = await run(db, findOldEvents());
    if (eventIds.length > 0) await batch(db, deleteEvents(eventIds));
    return eventIds.length;
  });
