import { sql } from "drizzle-orm";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import { events, webhookDeliveries } from "../../core/events/tables.ts";
import { build, rows, statement } from "../../db/build.ts";
import { nowWith } from "../../db/columns.ts";
import { notFenced } from "../../db/fencing.ts";
import { inBatches } from "../../db/in-batches.ts";
import { isIn } from "../../db/is-in.ts";
import { batch, mapped, type Query, run } from "../../db/query.ts";
import { webhookAttempts } from "./tables.ts";

/** With their deliveries and attempts, 200 events are a few thousand rows per transaction. */
const stepLimits = { maxRows: 200, maxBatches: 10 };

const old = { id: events.id };

/**
 * Finds events past their retention among the first events by sequence. If the very first is newer, finds none.
 * Imported events have a higher sequence than others of their time, so they are deleted later, with their neighbors.
 */
export function findOldEvents(): Query<string[]> {
  const { id, created_at, sequence, organization_id } = events;
  const oldSince = nowWith(`-${webhookLimits.keptDays} days`);
  const first = sql`(SELECT min(${sequence}) FROM ${events})`;
  const most = sql`iif((SELECT ${created_at} FROM ${events} WHERE ${sequence} = ${first}) < ${oldSince},
    ${stepLimits.maxRows}, 0)`;
  const oldest = sql`SELECT ${id} AS id, ${created_at} AS created_at, ${organization_id} AS organization_id
    FROM ${events}
    WHERE ${sequence} >= ${first} ORDER BY ${sequence} LIMIT ${most}`;
  return mapped(
    rows(
      old,
      sql`SELECT id FROM (${oldest})
    WHERE created_at < ${oldSince} AND ${notFenced(sql`organization_id`)}`,
    ),
    (found) => found.map((event) => event.id),
  );
}

/** Deletes the events last, because the other statements find their rows through them. */
export function deleteEvents(eventIds: readonly string[]): Query<void>[] {
  const ofEvents = isIn(webhookDeliveries.event_id, eventIds);
  const deliveryIds = build.select({ id: webhookDeliveries.id }).from(webhookDeliveries).where(ofEvents);
  return [
    statement(build.delete(webhookAttempts).where(isIn(webhookAttempts.delivery_id, deliveryIds))),
    statement(build.delete(webhookDeliveries).where(ofEvents)),
    statement(build.delete(events).where(isIn(events.id, eventIds))),
  ];
}

/** Deletes events past their retention, with their deliveries and attempts, oldest first and in bounded batches. */
export const purgeEvents = (db: D1Database): Promise<number> =>
  inBatches(stepLimits, async () => {
    const eventIds = await run(db, findOldEvents());
    if (eventIds.length > 0) await batch(db, deleteEvents(eventIds));
    return eventIds.length;
  });
