import { and, desc, eq, gte, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { searchLimits } from "../../contract/webhook-limits.ts";
import { events, webhookDeliveries as table } from "../../core/events/tables.ts";
import { answerOf } from "../../db/answer.ts";
import { build, row, rows } from "../../db/build.ts";
import { mapped, type Query, run } from "../../db/query.ts";
import { owned } from "../../db/records.ts";
import { webhookEndpoints } from "../endpoints/tables.ts";
import { WebhookDelivery } from "./record.ts";
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
  /** The status of the last attempt's response. */
  http_status?: number;
  /** The id of the last delivery on the previous page. */
  cursor?: string;
  limit: number;
}

/**
 * Returns the index that a search reads in order, and the filters that the index serves. Other filters are checked row
 * by row.
 */
function indexFor({ endpoint, status }: DeliveryFilter): [string, ...(keyof DeliveryFilter)[]] {
  if (status === "pending") return ["webhook_deliveries_by_endpoint", "status", "endpoint"];
  if (status === "dead") {
    return endpoint === undefined
      ? ["webhook_deliveries_dead_newest", "status"]
      : ["webhook_deliveries_dead_of_endpoint", "status", "endpoint"];
  }
  return endpoint === undefined
    ? ["webhook_deliveries_newest"]
    : ["webhook_deliveries_of_endpoint", "endpoint"];
}

const newestFirst = sql`ORDER BY ${desc(table.created_at)}, ${desc(table.id)}`;

/** The status of the newest attempt's response; NULL if there was no response. */
const lastAnswer = sql`(SELECT ${webhookAttempts.response_status} FROM ${webhookAttempts}
  WHERE ${webhookAttempts.delivery_id} = ${table.id} ORDER BY ${desc(webhookAttempts.attempted_at)} LIMIT 1)`;

/** NULL for an endpoint in another workspace, so that its deliveries are never read. */
const ownEndpoint = (organizationId: string, id: string) =>
  build
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(owned(webhookEndpoints, organizationId, id));

function conditionsOf(organizationId: string, { endpoint, status, event, http_status }: DeliveryFilter) {
  return {
    endpoint:
      endpoint === undefined
        ? undefined
        : sql`${table.endpoint_id} = ${ownEndpoint(organizationId, endpoint)}`,
    // Uses a literal, so that SQLite can match the partial index's condition.
    status: status === undefined ? undefined : sql`${table.status} = ${sql.raw(`'${status}'`)}`,
    event: event === undefined ? undefined : eq(table.event, event),
    http_status: http_status === undefined ? undefined : eq(lastAnswer, http_status),
  };
}

/** The condition for the requested period, after the previous page. */
function placeOf(organizationId: string, { since, until, cursor }: DeliveryFilter): SQL | undefined {
  const last = build
    .select({ at: table.created_at, id: table.id })
    .from(table)
    .where(owned(table, organizationId, cursor ?? ""));
  return and(
    eq(table.organization_id, organizationId),
    since === undefined ? undefined : gte(table.created_at, since),
    // A cursor is older than `until`. The unary plus makes SQLite read the index from the cursor on.
    until === undefined
      ? undefined
      : sql`${sql.raw(cursor === undefined ? "" : "+")}${table.created_at} < ${until}`,
    cursor === undefined ? undefined : sql`(${table.created_at}, ${table.id}) < (${last})`,
  );
}

/** Which rows a search scans, newest first, how many at most, and the filter on them. */
interface Search {
  from: SQL;
  most: SQL;
  rest: SQL | undefined;
}

/** Raw SQL, because drizzle cannot name an index. */
function searched(organizationId: string, filter: DeliveryFilter): Search {
  if (filter.subject_id !== undefined) return aboutSubject(organizationId, filter, filter.subject_id);
  const [index, ...found] = indexFor(filter);
  const conditions = conditionsOf(organizationId, filter);
  const isFound = (name: string) => found.some((one) => one === name);
  const of = (wanted: boolean) =>
    and(...Object.entries(conditions).map(([name, one]) => (isFound(name) === wanted ? one : undefined)));
  const rest = of(false);
  const where = and(of(true), placeOf(organizationId, filter));
  const limit = rest ? searchLimits.deliveries : filter.limit;
  const rows = sql`FROM ${table} INDEXED BY ${sql.identifier(index)} WHERE ${where}`;
  const isPending = filter.status === "pending";
  if (isPending && filter.endpoint === undefined)
    return ofEachEndpoint(organizationId, { rows, limit, rest });
  const unsettled = isPending ? sql`AND ${isNull(table.settled_at)}` : sql``;
  return { from: sql`${rows} ${unsettled} ${newestFirst} LIMIT ${limit}`, most: sql`${limit}`, rest };
}

/**
 * Merges the newest pending deliveries of each endpoint, because their index is ordered only within an endpoint. With
 * many endpoints, pages are shorter, so that reading all of them costs no more than one search.
 */
function ofEachEndpoint(
  organizationId: string,
  { rows, limit, rest }: { rows: SQL; limit: number; rest: SQL | undefined },
): Search {
  const own = and(eq(webhookEndpoints.organization_id, organizationId), isNull(webhookEndpoints.deleted_at));
  const ofAll = Math.max(limit, searchLimits.deliveries);
  // Literals, because D1 binds numbers as floats, and dividing them would not be integer division.
  const most = sql`(SELECT min(${sql.raw(String(limit))}, max(1, ${sql.raw(String(ofAll))} / max(1, count(*))))
    FROM ${webhookEndpoints} WHERE ${own})`;
  const ofEndpoint = and(sql`${table.endpoint_id} = ${webhookEndpoints.id}`, isNull(table.settled_at));
  const ofOne = sql`SELECT ${table.id} ${rows} AND ${ofEndpoint} ${newestFirst} LIMIT ${most}`;
  const endpoints = sql`${webhookEndpoints} CROSS JOIN ${table} ON ${table.id} IN (${ofOne})`;
  return { from: sql`FROM ${endpoints} WHERE ${own} ${newestFirst} LIMIT ${most}`, most, rest };
}

const placeOfSubject = [events.sequence, table.created_at, table.id];
const ofEvent = eq(table.event_id, events.id);

/** A cursor's position: the last delivery on the previous page, or the event where a search ended. */
const lastOfSubject = (organizationId: string, cursor: string) => sql`
  SELECT ${sql.join(placeOfSubject, sql`, `)} FROM ${table} JOIN ${events} ON ${ofEvent}
    WHERE ${owned(table, organizationId, cursor)}
  UNION ALL SELECT ${events.sequence}, '', '' FROM ${events} WHERE ${owned(events, organizationId, cursor)}`;

/** A record's newest events, up to the cursor's. */
const eventsAbout = (organizationId: string, subjectId: string, cursor: string | undefined) => {
  const upTo = cursor && sql`(SELECT sequence FROM (${lastOfSubject(organizationId, cursor)}))`;
  const where = and(
    eq(events.organization_id, organizationId),
    eq(events.subject_id, subjectId),
    upTo ? lte(events.sequence, upTo) : undefined,
  );
  return sql`FROM ${events} INDEXED BY events_by_subject WHERE ${where} ORDER BY ${desc(events.sequence)}`;
};

/**
 * Reads the deliveries about a record, event by event, newest first, so that only one event's deliveries are sorted at
 * a time.
 */
function aboutSubject(organizationId: string, filter: DeliveryFilter, subjectId: string): Search {
  const { since, until, cursor, limit } = filter;
  const rest = and(
    ...Object.values(conditionsOf(organizationId, filter)),
    since === undefined ? undefined : gte(table.created_at, since),
    until === undefined ? undefined : lt(table.created_at, until),
  );
  const newest = sql`SELECT ${events.sequence} ${eventsAbout(organizationId, subjectId, cursor)}
    LIMIT ${searchLimits.eventsOfSubject}`;
  const place = sql.join(placeOfSubject, sql`, `);
  const where = and(
    eq(events.organization_id, organizationId),
    eq(events.subject_id, subjectId),
    sql`${events.sequence} >= (SELECT min(sequence) FROM (${newest}))`,
    eq(table.organization_id, organizationId),
    cursor === undefined ? undefined : sql`(${place}) < (${lastOfSubject(organizationId, cursor)})`,
  );
  const most = rest ? searchLimits.eventsOfSubject : limit;
  const from = sql`FROM ${events} INDEXED BY events_by_subject
    CROSS JOIN ${table} INDEXED BY webhook_deliveries_by_event ON ${ofEvent} WHERE ${where}
    ORDER BY ${sql.join(placeOfSubject.map(desc), sql`, `)} LIMIT ${most}`;
  return { from, most: sql`${most}`, rest };
}

const columns = sql.join(Object.values(selection), sql`, `);

const scanned = {
  ...selection,
  id: table.id,
  fits: sql<number | null>`fits`.as("fits"),
  place: sql<number>`place`.as("place"),
  most: sql<number>`most`.as("most"),
};

interface Found {
  deliveries: WebhookDelivery[];
  /** The last scanned delivery, if the search ended early. */
  end: { id: string; most: number } | null;
}

/** Finds deliveries, newest first. For a filter without an index, scans a limited number of rows (searchLimits). */
function search(organizationId: string, filter: DeliveryFilter): Query<Found> {
  const { from, most, rest } = searched(organizationId, filter);
  if (!rest) {
    const all = rows(selection, sql`SELECT ${columns} ${from}`);
    return mapped(all, (found) => ({ deliveries: found.map(toDelivery), end: null }));
  }
  const sifted = sql`SELECT *, ${rest} AS fits, row_number() OVER () AS place, ${most} AS most
    FROM (SELECT ${columns} ${from}) AS ${table}`;
  // Without ORDER BY, the scan stops at the last row of the page. SQLite keeps the subquery's order.
  const built = sql`SELECT * FROM (${sifted}) WHERE fits OR place = most LIMIT ${filter.limit}`;
  return mapped(rows(scanned, built), (found) => {
    const last = found.at(-1);
    return {
      deliveries: found
        .filter(({ fits }) => fits)
        .map(({ fits: _, place: __, most: ___, ...delivery }) => toDelivery(delivery)),
      end: last && last.place === last.most ? { id: last.id, most: last.most } : null,
    };
  });
}

export const listDeliveries = (organizationId: string, filter: DeliveryFilter): Query<WebhookDelivery[]> =>
  mapped(search(organizationId, filter), ({ deliveries }) => deliveries);

/** Lists deliveries. If the search ends early without a match, the refusal says where to continue. */
export async function searchDeliveries(
  db: D1Database,
  organizationId: string,
  filter: DeliveryFilter,
): Promise<WebhookDelivery[] | Refusal> {
  const { deliveries, end } = await run(db, search(organizationId, filter));
  if (deliveries.length > 0) return deliveries;
  const { cursor, subject_id } = filter;
  if (end) return refuse("search_ended_early", { scanned: `${end.most} newest deliveries`, cursor: end.id });
  if (cursor !== undefined && !(await run(db, isPlace(organizationId, filter, cursor)))) {
    return refuse("cursor_unknown", { kind: "a delivery" });
  }
  const event = subject_id && (await run(db, lastScannedEvent(organizationId, subject_id, cursor)));
  if (!event) return [];
  const scanned = `${searchLimits.eventsOfSubject} newest events of the record`;
  return refuse("search_ended_early", { scanned, cursor: event.id });
}

const isPlace = (organizationId: string, { subject_id }: DeliveryFilter, cursor: string): Query<boolean> => {
  const last = { id: table.id };
  const ofDelivery = sql`SELECT ${table.id} FROM ${table} WHERE ${owned(table, organizationId, cursor)}`;
  const ofEither = sql`${ofDelivery}
    UNION ALL SELECT ${events.id} FROM ${events} WHERE ${owned(events, organizationId, cursor)}`;
  return mapped(row(last, subject_id === undefined ? ofDelivery : ofEither), (found) => found !== null);
};

/** Where a search about a record ended; null if the record has no more events. */
const lastScannedEvent = (organizationId: string, subjectId: string, cursor: string | undefined) =>
  row(
    { id: events.id },
    sql`SELECT ${events.id} ${eventsAbout(organizationId, subjectId, cursor)}
      LIMIT 1 OFFSET ${searchLimits.eventsOfSubject - 1}`,
  );

export const findDelivery = (organizationId: string, id: string): Query<WebhookDelivery | null> => {
  const built = build
    .select(selection)
    .from(table)
    .where(owned(table, organizationId, id));
  return mapped(row(selection, built), (found) => found && toDelivery(found));
};
