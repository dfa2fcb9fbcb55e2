import { and, eq, gte, isNotNull, type SQL, sql } from "drizzle-orm";
import { webhookDeliveries as deliveries } from "../../core/events/tables.ts";
import { build, rows } from "../../db/build.ts";
import { mapped, type Query } from "../../db/query.ts";
import { owned } from "../../db/records.ts";
import { webhookEndpoints as endpoints } from "../endpoints/tables.ts";

/** An hour or a day of an endpoint: what was delivered, what failed and waits for a retry, what was given up. */
export interface SpanOfDeliveries {
  /** `2026-01-31T09` or `2026-01-31`, UTC. */
  at: string;
  delivered: number;
  failed: number;
  dead: number;
}

const hourMs = 3_600_000;
const spans = {
  hour: { ms: hourMs, characters: "2026-01-31T09".length, start: ":00:00.000Z" },
  day: { ms: 24 * hourMs, characters: "2026-01-31".length, start: "T00:00:00.000Z" },
} as const;

/** The available periods; as long as deliveries are kept. */
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

/** Each hour or day of a period, the current one last, read from the indexes of the health figures. */
export function deliveriesOverTime(
  organizationId: string,
  { endpointId, period, now }: OverTime,
): Query<SpanOfDeliveries[]> {
  const { span, count } = periods[period];
  const { ms, characters, start } = spans[span];
  const names = Array.from({ length: count }, (_, index) =>
    new Date(now.getTime() - (count - 1 - index) * ms).toISOString().slice(0, characters),
  );
  const since = `${names[0]}${start}`;
  const spanOf = (column: SQL | typeof deliveries.settled_at | typeof deliveries.failed_at) =>
    sql<string>`substr(${column}, 1, ${characters})`;
  const own = build
    .select({ id: endpoints.id })
    .from(endpoints)
    .where(owned(endpoints, organizationId, endpointId));
  const ofEndpoint = sql`${deliveries.endpoint_id} = (${own})`;
  const settled = (status: "delivered" | "dead") =>
    sql`SELECT ${status} AS kind, ${spanOf(deliveries.settled_at)} AS at, count(*) AS number FROM ${deliveries}
      WHERE ${and(ofEndpoint, eq(deliveries.status, status), gte(deliveries.settled_at, since))} GROUP BY 2`;
  const isFailed = and(isNotNull(deliveries.failed_at), gte(deliveries.failed_at, since));
  const failed = sql`SELECT 'failed' AS kind, ${spanOf(deliveries.failed_at)} AS at, count(*) AS number
    FROM ${deliveries} INDEXED BY webhook_deliveries_failed
    WHERE ${and(ofEndpoint, eq(deliveries.status, "pending"), isFailed)} GROUP BY 2`;
  const selection = {
    kind: sql<"delivered" | "failed" | "dead">``.as("kind"),
    at: sql<string>``.as("at"),
    number: sql<number>``.as("number"),
  };
  return mapped(
    rows(selection, sql`${settled("delivered")} UNION ALL ${settled("dead")} UNION ALL ${failed}`),
    (found) =>
      names.map((at) => {
        const of = (kind: string) => found.find((one) => one.at === at && one.kind === kind)?.number ?? 0;
        return { at, delivered: of("delivered"), failed: of("failed"), dead: of("dead") };
      }),
  );
}
