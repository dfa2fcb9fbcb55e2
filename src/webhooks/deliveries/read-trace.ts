import { and, asc, eq, gte, lte, type SQL, sql } from "drizzle-orm";
import type { LoggedRequest } from "../../contract/request-log.ts";
import { webhookDeliveries as deliveries, events } from "../../core/events/tables.ts";
import { answerOf } from "../../db/answer.ts";
import { build, rows, rowsOf } from "../../db/build.ts";
import { isIn } from "../../db/is-in.ts";
import { batch } from "../../db/query.ts";
import { type TracedEvent, WebhookAttempt } from "./record.ts";
import { webhookAttempts as attempts } from "./tables.ts";

/** The largest expected difference between the Worker's and the database's clocks. */
const clocksDifferMs = 5_000;

/**
 * Returns the events that a request's transactions recorded, in order, with the outcome of their deliveries. Events are
 * looked up by number and time, because after a restore, later events reuse the numbers.
 */
export async function traceEvents(
  db: D1Database,
  organizationId: string,
  { at, duration_ms, events: spans }: Pick<LoggedRequest, "at" | "duration_ms" | "events">,
): Promise<TracedEvent[]> {
  if (spans.length === 0) return [];
  const within = sql`(SELECT one.sequence FROM json_each(${JSON.stringify(spans)}) AS span CROSS JOIN ${events} AS one
    ON one.sequence > span.value ->> 'behind' AND one.sequence <= span.value ->> 'upTo')`;
  const startedMs = Date.parse(at);
  const isMade = and(
    eq(events.organization_id, organizationId),
    isIn(events.sequence, within),
    gte(events.created_at, new Date(startedMs - clocksDifferMs).toISOString()),
    lte(events.created_at, new Date(startedMs + duration_ms + clocksDifferMs).toISOString()),
  );
  const made = build.select({ id: events.id }).from(events).where(isMade);
  const isSent = and(
    sql`+${deliveries.organization_id} = ${organizationId}`,
    isIn(deliveries.event_id, made),
  );
  const [ofRequest, ofEvents, ofDeliveries] = await batch(db, [
    eventsWhere(isMade),
    deliveriesWhere(isSent),
    attemptsOf(organizationId, isSent),
  ]);
  return ofRequest.map((event) => ({
    ...event,
    deliveries: ofEvents
      .filter(({ event_id }) => event_id === event.id)
      .map(({ event_id: _, ...delivery }) => ({
        ...delivery,
        attempts: ofDeliveries.filter((one) => one.delivery_id === delivery.id).map(withoutDelivery),
      })),
  }));
}

const eventsWhere = (isMade: SQL | undefined) =>
  rowsOf(
    build
      .select({ id: events.id, event: events.event })
      .from(events)
      .where(isMade)
      .orderBy(asc(events.sequence)),
  );

const { id, event_id, endpoint_id, status } = deliveries;

const deliveriesWhere = (isSent: SQL | undefined) =>
  rowsOf(build.select({ id, event_id, endpoint_id, status }).from(deliveries).where(isSent).orderBy(asc(id)));

const { selection, read } = answerOf(attempts, WebhookAttempt, {});
const attempted = { ...selection, delivery_id: attempts.delivery_id };

const attemptsOf = (organizationId: string, isSent: SQL | undefined) => {
  const sent = build.select({ id }).from(deliveries).where(isSent);
  const isOfSent = and(eq(attempts.organization_id, organizationId), isIn(attempts.delivery_id, sent));
  return rows(
    attempted,
    build.select(attempted).from(attempts).where(isOfSent).orderBy(asc(attempts.attempted_at)),
  );
};

const withoutDelivery = ({ delivery_id: _, ...attempt }: Record<string, unknown>) => read(attempt);
