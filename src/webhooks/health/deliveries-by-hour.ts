import { and, eq, gte, isNotNull, type SQL, sql } from "drizzle-orm";
import { build, rows } from "../../db/build.ts";
import { mapped, type Query } from "../../db/query.ts";
import { owned } from "../../db/records.ts";
import { webhookDeliveries as deliveries } from "../../workspace/events/tables.ts";
import { webhookEndpoints as endpoints } from "../endpoints/tables.ts";

/** One hour of an endpoint: what arrived, what failed and waits for a retry, what was given up. */
export interface HourOfDeliveries {
  /** `2026-01-31T09`, UTC. */
  hour: string;
  delivered: number;
  failed: number;
  dead: number;
}

const hours = 24;
const hourMs = 3_600_000;

const hourOf = (column: SQL | typeof deliveries.settled_at | typeof deliveries.failed_at) =>
  sql<string>`substr(${column}, 1, 13)`;

/** Each of the last 24 hours, the present one last, read from the indexes of the health figures. */
export function deliveriesByHour(
  organizationId: string,
  endpointId: string,
  now: Date,
): Query<HourOfDeliveries[]> {
  const names = Array.from({ length: hours }, (_, index) =>
    new Date(now.getTime() - (hours - 1 - index) * hourMs).toISOString().slice(0, 13),
  );
  const since = `${names[0]}:00:00.000Z`;
  const own = build
    .select({ id: endpoints.id })
    .from(endpoints)
    .where(owned(endpoints, organizationId, endpointId));
  const ofEndpoint = sql`${deliveries.endpoint_id} = (${own})`;
  const settled = (status: "delivered" | "dead") =>
    sql`SELECT ${status} AS kind, ${hourOf(deliveries.settled_at)} AS hour, count(*) AS number FROM ${deliveries}
      WHERE ${and(ofEndpoint, eq(deliveries.status, status), gte(deliveries.settled_at, since))} GROUP BY 2`;
  const isFailed = and(isNotNull(deliveries.failed_at), gte(deliveries.failed_at, since));
  const failed = sql`SELECT 'failed' AS kind, ${hourOf(deliveries.failed_at)} AS hour, count(*) AS number
    FROM ${deliveries} WHERE ${and(ofEndpoint, eq(deliveries.status, "pending"), isFailed)} GROUP BY 2`;
  const selection = {
    kind: sql<"delivered" | "failed" | "dead">``.as("kind"),
    hour: sql<string>``.as("hour"),
    number: sql<number>``.as("number"),
  };
  return mapped(
    rows(selection, sql`${settled("delivered")} UNION ALL ${settled("dead")} UNION ALL ${failed}`),
    (found) =>
      names.map((hour) => {
        const of = (kind: string) => found.find((one) => one.hour === hour && one.kind === kind)?.number ?? 0;
        return { hour, delivered: of("delivered"), failed: of("failed"), dead: of("dead") };
      }),
  );
}
