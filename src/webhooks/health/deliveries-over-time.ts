import { and, eq, gte, isNotNull, type SQL, sql } from "drizzle-orm";
import { webhookDeliveries as deliveries } from "../../core/events/tables.ts";
import { build, rows } from "../../db/build.ts";
import { mapped, type Query } from "../../db/query.ts";
import { owned } from "../../db/records.ts";
import { webhookAttempts as attempts } from "../deliveries/tables.ts";
import { webhookEndpoints as endpoints } from "../endpoints/tables.ts";

interface Counts {
  delivered: number;
  /** Failed attempts that will be retried. */
  failed: number;
  dead: number;
}

/** The outcomes at an endpoint in one hour or day. A later retry or replay doesn't change them. */
export interface SpanOfDeliveries extends Counts {
  /** `2026-01-31T09` or `2026-01-31`, UTC. */
  at: string;
}

export interface DeliveriesOverTime {
  spans: SpanOfDeliveries[];
  /** The same deliveries by current state, each counted once. */
  now: Counts;
}

const hourMs = 3_600_000;
const spans = {
  hour: { ms: hourMs, characters: "2026-01-31T09".length, start: ":00:00.000Z" },
  day: { ms: 24 * hourMs, characters: "2026-01-31".length, start: "T00:00:00.000Z" },
} as const;

/** The available periods; the longest is how long deliveries are kept. */
export const periods = {
  "24h": { name: "24 hours", span: "hour", count: 24 },
  "7d": { name: "7 days", span: "day", count: 7 },
  "30d": { name: "30 days", span: "day", count: 30 },
} as const satisfies Record<string, { name: string; span: keyof typeof spans; count: number }>;
export type Period = keyof typeof periods;

interface OverTime {
  endpointId: string;
  period: Period;
  now: Date;
}

const selection = {
  kind: sql<keyof Counts>``.as("kind"),
  /** 1 for an earlier attempt's outcome, which the delivery's row no longer shows. */
  is_past: sql<number>``.as("is_past"),
  at: sql<string>``.as("at"),
  number: sql<number>``.as("number"),
};

/**
 * Counts the outcomes in each hour or day of a period, ending with the current one. A delivery's row has its last
 * outcome. Earlier outcomes are in the attempts log, which is read only for deliveries that failed or were replayed.
 */
export function deliveriesOverTime(
  organizationId: string,
  { endpointId, period, now }: OverTime,
): Query<DeliveriesOverTime> {
  const { span, count } = periods[period];
  const { ms, characters, start } = spans[span];
  const names = Array.from({ length: count }, (_, index) =>
    new Date(now.getTime() - (count - 1 - index) * ms).toISOString().slice(0, characters),
  );
  const since = `${names[0]}${start}`;
  const spanOf = (column: SQL) => sql`substr(${column}, 1, ${characters})`;
  const own = build
    .select({ id: endpoints.id })
    .from(endpoints)
    .where(owned(endpoints, organizationId, endpointId));
  const ofEndpoint = sql`${deliveries.endpoint_id} = (${own})`;
  const settled = (status: "delivered" | "dead") =>
    sql`SELECT ${status} AS kind, 0 AS is_past, ${spanOf(sql`${deliveries.settled_at}`)} AS at, count(*) AS number
      FROM ${deliveries}
      WHERE ${and(ofEndpoint, eq(deliveries.status, status), gte(deliveries.settled_at, since))} GROUP BY 3`;
  const withPast = (index: string, column: typeof deliveries.failed_at | typeof deliveries.replayed_at) =>
    sql`SELECT id, status, attempts, failed_at FROM ${deliveries} INDEXED BY ${sql.raw(index)}
      WHERE ${and(ofEndpoint, isNotNull(column), gte(column, since))}`;
  const hasOutcome = sql`(affected.status <> 'pending' OR affected.attempts > 0)`;
  const newest = sql`(SELECT max(attempted_at) FROM ${attempts} WHERE delivery_id = affected.id)`;
  const query = sql`WITH affected AS MATERIALIZED (
      ${withPast("webhook_deliveries_failed", deliveries.failed_at)}
      UNION ${withPast("webhook_deliveries_replayed", deliveries.replayed_at)})
    ${settled("delivered")} UNION ALL ${settled("dead")}
    UNION ALL SELECT 'failed', 0, ${spanOf(sql`affected.failed_at`)}, count(*) FROM affected
      WHERE affected.status = 'pending' AND affected.attempts > 0 AND affected.failed_at >= ${since} GROUP BY 3
    UNION ALL SELECT
        iif(attempt.error_class IS NULL, 'delivered', iif(attempt.next_attempt_at IS NULL, 'dead', 'failed')), 1,
        ${spanOf(sql`attempt.attempted_at`)}, count(*)
      FROM affected CROSS JOIN ${attempts} AS attempt ON attempt.delivery_id = affected.id
      WHERE attempt.attempted_at >= ${since} AND NOT (${hasOutcome} AND attempt.attempted_at = ${newest})
      GROUP BY 1, 3`;
  return mapped(rows(selection, query), (found) => {
    const countsOf = (among: typeof found): Counts => {
      const of = (kind: keyof Counts) =>
        among.filter((one) => one.kind === kind).reduce((sum, one) => sum + one.number, 0);
      return { delivered: of("delivered"), failed: of("failed"), dead: of("dead") };
    };
    return {
      spans: names.map((at) => ({ at, ...countsOf(found.filter((one) => one.at === at)) })),
      now: countsOf(found.filter((one) => one.is_past === 0)),
    };
  });
}
