import { and, asc, desc, eq, gte, isNull, lt, type SQL, sql } from "drizzle-orm";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { searchLimits } from "../../contract/webhook-limits.ts";
import { answerOf } from "../../db/answer.ts";
import { build, row, rowOf, rows, rowsOf } from "../../db/build.ts";
import { isIn } from "../../db/is-in.ts";
import { batch, mapped, type Query, run } from "../../db/query.ts";
import { owned } from "../../db/records.ts";
import { events, webhookDeliveries as table } from "../../workspace/events/tables.ts";
import { webhookEndpoints } from "../endpoints/tables.ts";
import { WebhookDelivery, type WebhookDeliveryInFull } from "./record.ts";
import { webhookAttempts } from "./tables.ts";

const { selection, read } = answerOf(table, WebhookDelivery, {});

const toDelivery = (found: Record<string, unknown>): WebhookDelivery => {
  const delivery = read(found);
  return { ...delivery, held: delivery.status === "pending" && delivery.next_attempt_at === null };
};

export interface DeliveryFilter {
  endpoint?: string;
  status?: WebhookDelivery["status"];
  event?: string;
  /** Recorded at or after `since` and before `until`. */
  since?: string;
  until?: string;
  /** The record that the event is about. */
  subject_id?: string;
  /** What the receiver answered to the last attempt. */
  http_status?: number;
  /** The id of the last delivery of the page before. */
  cursor?: string;
  limit: number;
}

/**
 * The index that a search reads in order, and the fields by which it finds rows. The other fields are filtered row by
 * row.
 */
function indexFor({ endpoint, status, event }: DeliveryFilter): [string, ...(keyof DeliveryFilter)[]] {
  if (status === "dead" && endpoint !== undefined) {
    return ["webhook_deliveries_dead_of_endpoint", "status", "endpoint"];
  }
  if (status === "dead") return ["webhook_deliveries_dead_newest", "status"];
  if (status === "pending" && event === undefined) {
    return ["webhook_deliveries_by_endpoint", "status", "endpoint"];
  }
  return endpoint === undefined
    ? ["webhook_deliveries_newest"]
    : ["webhook_deliveries_of_endpoint", "endpoint"];
}

const newestFirst = sql`ORDER BY ${desc(table.created_at)}, ${desc(table.id)}`;

/** The answer to the newest attempt; NULL: none came. */
const lastAnswer = sql`(SELECT ${webhookAttempts.response_status} FROM ${webhookAttempts}
  WHERE ${webhookAttempts.delivery_id} = ${table.id} ORDER BY ${desc(webhookAttempts.attempted_at)} LIMIT 1)`;

function conditionsOf({ endpoint, status, event, http_status }: DeliveryFilter) {
  return {
    endpoint: endpoint === undefined ? undefined : eq(table.endpoint_id, endpoint),
    // A literal: it tells SQLite which partial index holds every such row.
    status: status === undefined ? undefined : sql`${table.status} = ${sql.raw(`'${status}'`)}`,
    event: event === undefined ? undefined : eq(table.event, event),
    http_status: http_status === undefined ? undefined : eq(lastAnswer, http_status),
  };
}

/** The condition for the time asked for, behind the page before. */
function placeOf(organizationId: string, { since, until, cursor }: DeliveryFilter): SQL | undefined {
  const last = build
    .select({ at: table.created_at, id: table.id })
    .from(table)
    .where(owned(table, organizationId, cursor ?? ""));
  return and(
    eq(table.organization_id, organizationId),
    since === undefined ? undefined : gte(table.created_at, since),
    until === undefined ? undefined : lt(table.created_at, until),
    cursor === undefined ? undefined : sql`(${table.created_at}, ${table.id}) < (${last})`,
  );
}

/** The rows that a search reads, newest first, and the filter on them. Raw SQL, because drizzle names no index. */
function searched(organizationId: string, filter: DeliveryFilter): { from: SQL; rest: SQL | undefined } {
  if (filter.subject_id !== undefined) return aboutSubject(organizationId, filter, filter.subject_id);
  const [index, ...found] = indexFor(filter);
  const conditions = conditionsOf(filter);
  const isFound = (name: string) => found.some((one) => one === name);
  const of = (wanted: boolean) =>
    and(...Object.entries(conditions).map(([name, one]) => (isFound(name) === wanted ? one : undefined)));
  const rest = of(false);
  const where = and(of(true), placeOf(organizationId, filter));
  const limit = rest ? searchLimits.rows : filter.limit;
  const rows = sql`FROM ${table} INDEXED BY ${sql.identifier(index)} WHERE ${where}`;
  if (index !== "webhook_deliveries_by_endpoint")
    return { from: sql`${rows} ${newestFirst} LIMIT ${limit}`, rest };
  // The newest of each endpoint, because the index has this order only within one endpoint.
  const ofEndpoint = and(sql`${table.endpoint_id} = ${webhookEndpoints.id}`, isNull(table.settled_at));
  const ofOne = sql`SELECT ${table.id} ${rows} AND ${ofEndpoint} ${newestFirst} LIMIT ${limit}`;
  const endpoints = sql`${webhookEndpoints} CROSS JOIN ${table} ON ${table.id} IN (${ofOne})`;
  const own = eq(webhookEndpoints.organization_id, organizationId);
  return { from: sql`FROM ${endpoints} WHERE ${own} ${newestFirst} LIMIT ${limit}`, rest };
}

/** The deliveries about one record: of its newest event first, so that a page sorts only one event's. */
function aboutSubject(organizationId: string, filter: DeliveryFilter, subjectId: string) {
  const { since, until, cursor, limit } = filter;
  const rest = and(
    ...Object.values(conditionsOf(filter)),
    since === undefined ? undefined : gte(table.created_at, since),
    until === undefined ? undefined : lt(table.created_at, until),
  );
  const ofEvent = eq(table.event_id, events.id);
  const order = [events.sequence, table.created_at, table.id];
  const place = sql.join(order, sql`, `);
  const last = sql`(SELECT ${place}
    FROM ${table} JOIN ${events} ON ${ofEvent} WHERE ${owned(table, organizationId, cursor ?? "")})`;
  const where = and(
    eq(events.organization_id, organizationId),
    eq(events.subject_id, subjectId),
    eq(table.organization_id, organizationId),
    cursor === undefined ? undefined : sql`(${place}) < ${last}`,
  );
  const from = sql`FROM ${events} INDEXED BY events_by_subject
    CROSS JOIN ${table} INDEXED BY webhook_deliveries_by_event ON ${ofEvent} WHERE ${where}
    ORDER BY ${sql.join(order.map(desc), sql`, `)} LIMIT ${rest ? searchLimits.rows : limit}`;
  return { from, rest };
}

const columns = sql.join(Object.values(selection), sql`, `);

/** Newest first. What no index answers alone is looked for among `searchLimits.rows` rows and no more. */
export function listDeliveries(organizationId: string, filter: DeliveryFilter): Query<WebhookDelivery[]> {
  const { from, rest } = searched(organizationId, filter);
  const built = rest
    ? sql`SELECT * FROM (SELECT ${columns} ${from}) AS ${table} WHERE ${rest} LIMIT ${filter.limit}`
    : sql`SELECT ${columns} ${from}`;
  return mapped(rows(selection, built), (found) => found.map(toDelivery));
}

/** The same for a search that may end before it has seen all rows. Then its refusal says where to go on. */
export async function searchDeliveries(
  db: D1Database,
  organizationId: string,
  filter: DeliveryFilter,
): Promise<WebhookDelivery[] | Refusal> {
  const found = await run(db, listDeliveries(organizationId, filter));
  if (found.length === 0 && filter.cursor !== undefined) {
    const last = await run(db, findDelivery(organizationId, filter.cursor));
    if (!last) return refuse("cursor_unknown", { kind: "a delivery" });
  }
  const { from, rest } = searched(organizationId, filter);
  if (found.length > 0 || !rest) return found;
  const last = { id: table.id };
  const at = await run(db, row(last, sql`SELECT ${table.id} ${from} OFFSET ${searchLimits.rows - 1}`));
  return at ? refuse("search_ended_early", { cursor: at.id }) : found;
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
      .where(and(isIn(events.id, ofDelivery), eq(events.organization_id, organizationId))),
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
