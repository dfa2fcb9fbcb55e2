import { and, asc, desc, eq, gte, inArray, lt, sql } from "drizzle-orm";
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
  event?: string;
  /** Recorded at or after it, and before. */
  since?: string;
  until?: string;
  /** The record that the event is about. */
  subject_id?: string;
  /** The id of the last delivery of the page before. */
  cursor?: string;
  limit: number;
}

/** The index in whose order a search finds its rows: the narrowest, so that it reads few others. */
function indexFor({ endpoint, status, event, subject_id }: DeliveryFilter): string {
  if (subject_id !== undefined) return "webhook_deliveries_by_event";
  if (status === "dead" && endpoint !== undefined) return "webhook_deliveries_dead_of_endpoint";
  if (status === "dead") return "webhook_deliveries_dead_newest";
  if (status === "pending") return "webhook_deliveries_by_endpoint";
  if (event !== undefined) return "webhook_deliveries_by_name";
  return endpoint === undefined ? "webhook_deliveries_newest" : "webhook_deliveries_of_endpoint";
}

/** Newest first. Raw: drizzle cannot name an index, and a partial one wants its status as a literal. */
export function listDeliveries(organizationId: string, filter: DeliveryFilter): Query<WebhookDelivery[]> {
  const { endpoint, status, event, since, until, subject_id, cursor, limit } = filter;
  const ofWorkspace = eq(table.organization_id, organizationId);
  const endpoints = build
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.organization_id, organizationId));
  const about = build
    .select({ id: events.id })
    .from(events)
    .where(and(eq(events.organization_id, organizationId), eq(events.subject_id, subject_id ?? "")));
  const place = build.select({ at: table.created_at, id: table.id }).from(table);
  const where = and(
    ofWorkspace,
    status === "pending" && endpoint === undefined ? inArray(table.endpoint_id, endpoints) : undefined,
    endpoint === undefined ? undefined : eq(table.endpoint_id, endpoint),
    status === undefined ? undefined : sql`${table.status} = ${sql.raw(`'${status}'`)}`,
    event === undefined ? undefined : eq(table.event, event),
    since === undefined ? undefined : gte(table.created_at, since),
    until === undefined ? undefined : lt(table.created_at, until),
    subject_id === undefined ? undefined : inArray(table.event_id, about),
    cursor === undefined
      ? undefined
      : sql`(${table.created_at}, ${table.id}) < (${place.where(owned(table, organizationId, cursor))})`,
  );
  const built = sql`SELECT ${sql.join(Object.values(selection), sql`, `)} FROM ${table}
    INDEXED BY ${sql.identifier(indexFor(filter))}
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
