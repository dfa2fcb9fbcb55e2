import { and, asc, eq } from "drizzle-orm";
import { events, webhookDeliveries as table } from "../../core/events/tables.ts";
import { build, rowOf, rowsOf } from "../../db/build.ts";
import { isIn } from "../../db/is-in.ts";
import { batch } from "../../db/query.ts";
import { owned } from "../../db/records.ts";
import { findDelivery } from "./read-deliveries.ts";
import type { WebhookDeliveryInFull } from "./record.ts";
import { webhookAttempts } from "./tables.ts";

/** Reads the attempts ordered by time, because a replay restarts the attempt numbers at 1. */
const attemptLog = (organizationId: string, id: string) =>
  rowsOf(
    build
      .select()
      .from(webhookAttempts)
      .where(and(eq(webhookAttempts.delivery_id, id), eq(webhookAttempts.organization_id, organizationId)))
      .orderBy(asc(webhookAttempts.attempted_at)),
  );

const eventOf = (organizationId: string, id: string) => {
  const ofDelivery = build
    .select({ id: table.event_id })
    .from(table)
    .where(owned(table, organizationId, id));
  return rowOf(
    build
      .select({ payload: events.payload })
      .from(events)
      .where(and(isIn(events.id, ofDelivery), eq(events.organization_id, organizationId))),
  );
};

/** Reads a delivery with its log; null if the workspace has no such delivery. */
export async function showDelivery(
  db: D1Database,
  organizationId: string,
  id: string,
): Promise<WebhookDeliveryInFull | null> {
  const [delivery, attempt_log, event] = await batch(db, [
    findDelivery(organizationId, id),
    attemptLog(organizationId, id),
    eventOf(organizationId, id),
  ]);
  return delivery && event && { ...delivery, attempt_log, payload: JSON.parse(event.payload) };
}
