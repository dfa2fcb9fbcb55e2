import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { WebhookDelivery, type WebhookDeliveryInFull } from "../../contract/workspace/webhooks.ts";
import { answerOf } from "../../db/answer.ts";
import { build, row, rowOf, rows, rowsOf } from "../../db/build.ts";
import { batch, mapped, type Query } from "../../db/query.ts";
import { owned } from "../../db/records.ts";
import {
  events,
  webhookDeliveries as table,
  webhookAttempts,
  webhookEndpoints,
} from "../../db/schema/webhooks.ts";

const { selection, read } = answerOf(table, WebhookDelivery, {});

const toDelivery = (found: Record<string, unknown>): WebhookDelivery => {
  const delivery = read(found);
  return { ...delivery, held: delivery.status === "pending" && delivery.next_attempt_at === null };
};

export interface DeliveryFilter {
  endpoint?: string;
  status?: WebhookDelivery["status"];
  limit: number;
}

/**
 * Newest first. What is pending or dead is little and stands together in webhook_deliveries_by_endpoint; everything else
 * is met soon on the way down webhook_deliveries_newest. Raw: drizzle cannot name an index.
 */
export function listDeliveries(
  organizationId: string,
  { endpoint, status, limit }: DeliveryFilter,
): Query<WebhookDelivery[]> {
  const few = status === "pending" || status === "dead";
  const index = sql.identifier(few ? "webhook_deliveries_by_endpoint" : "webhook_deliveries_newest");
  const endpoints = build
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.organization_id, organizationId));
  const where = and(
    few ? inArray(table.endpoint_id, endpoints) : eq(table.organization_id, organizationId),
    endpoint === undefined ? undefined : eq(table.endpoint_id, endpoint),
    status === undefined ? undefined : eq(table.status, status),
  );
  const built = sql`SELECT ${sql.join(Object.values(selection), sql`, `)} FROM ${table} INDEXED BY ${index}
    WHERE ${where} ORDER BY ${desc(table.created_at)}, ${desc(table.id)} LIMIT ${limit}`;
  return mapped(rows(selection, built), (found) => found.map(toDelivery));
}

export const findDelivery = (organizationId: string, id: string): Query<WebhookDelivery | null> => {
  const built = build
    .select(selection)
    .from(table)
    .where(owned(table, organizationId, id));
  return mapped(row(selection, built), (found) => found && toDelivery(found));
};

/** Oldest first: a replay counts its attempts from 1 again. */
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
      .where(and(inArray(events.id, ofDelivery), eq(events.organization_id, organizationId))),
  );
};

/** A delivery with its log; null if the workspace has no such delivery. */
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
