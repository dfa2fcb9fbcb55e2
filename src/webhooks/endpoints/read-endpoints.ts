import { and, eq, gt, gte, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { healthLimits } from "../../contract/webhook-limits.ts";
import { webhookDeliveries as deliveries } from "../../core/events/tables.ts";
import { build, row, rowOf } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { isIn } from "../../db/is-in.ts";
import { mapped, type Query, required } from "../../db/query.ts";
import { owned, records } from "../../db/records.ts";
import type { WebhookDelivery } from "../deliveries/record.ts";
import { WebhookEndpoint, type WebhookHealth } from "./record.ts";
import { webhookEndpoints as table } from "./tables.ts";

const unexpired = sql<
  string | null
>`iif(${gt(table.previous_secret_expires_at, now)}, ${table.previous_secret_expires_at}, NULL)`;

const endpoints = records(table, WebhookEndpoint, {
  previous_secret_expires_at: unexpired.as("previous_secret_expires_at"),
});

/** Also finds deleted endpoints, because deleting an endpoint returns it. */
export const findEndpoint = endpoints.find;

/** Finds the secret, encrypted with the endpoint's id as additional data. */
export const findEncryptedSecret = (organizationId: string, id: string) =>
  rowOf(
    build
      .select({ secret_encrypted: table.secret_encrypted })
      .from(table)
      .where(owned(table, organizationId, id)),
  );

export const listEndpoints = (organizationId: string) =>
  endpoints.newest(organizationId, { where: isNull(table.deleted_at) });

/** Also lists the deleted endpoints with these ids. */
export const listEndpointsAnd = (organizationId: string, ids: readonly string[]) =>
  endpoints.newest(organizationId, { where: or(isNull(table.deleted_at), isIn(table.id, ids)) });

/** The endpoint needs attention: its last attempt failed, or the circuit breaker disabled it. */
const isFailing = and(
  isNull(table.deleted_at),
  or(
    and(eq(table.enabled, true), gt(table.consecutive_failures, 0)),
    and(eq(table.enabled, false), eq(table.disabled_reason, "circuit_breaker")),
  ),
);

export const listFailingEndpoints = (organizationId: string) =>
  endpoints.newest(organizationId, { where: isFailing });

export function hasFailingEndpoint(organizationId: string): Query<boolean> {
  const own = build
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.organization_id, organizationId), isFailing));
  return mapped(rowOf(own.limit(1)), (row) => row !== null);
}

/** Reads the health figures (contract W28); null if the workspace has no such endpoint. */
export function endpointHealth(organizationId: string, id: string): Query<WebhookHealth | null> {
  // Failures from the last day come from the index webhook_deliveries_failed, and the other delivery counts from
  // webhook_deliveries_by_endpoint.
  const of = (status: WebhookDelivery["status"]) =>
    and(eq(deliveries.endpoint_id, id), eq(deliveries.status, status));
  const count = (where: SQL | undefined, most: number = healthLimits.waiting) =>
    sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${deliveries} WHERE ${where} LIMIT ${most}))`;
  const yesterday = nowWith("-24 hours");
  const { ofDay } = healthLimits;
  // A replayed delivery that has not been attempted again does not count as failed.
  const isFailedNow = or(
    eq(deliveries.status, "dead"),
    and(eq(deliveries.status, "pending"), gt(deliveries.attempts, 0)),
  );
  const age = sql<
    number | null
  >`(SELECT cast((julianday('now') - julianday(${deliveries.created_at})) * 86400 AS INTEGER)
    FROM ${deliveries} WHERE ${and(of("pending"), isNull(deliveries.settled_at))}
      ORDER BY ${deliveries.created_at} LIMIT 1)`;
  return rowOf(
    build
      .select({
        id: table.id,
        url: table.url,
        enabled: table.enabled,
        consecutive_failures: table.consecutive_failures,
        consecutive_dead: table.consecutive_dead,
        delivered_24h: count(and(of("delivered"), gte(deliveries.settled_at, yesterday)), ofDay).as(
          "delivered_24h",
        ),
        failed_24h: count(
          and(eq(deliveries.endpoint_id, id), gte(deliveries.failed_at, yesterday), isFailedNow),
          ofDay,
        ).as("failed_24h"),
        pending_backlog: count(of("pending")).as("pending_backlog"),
        dead_letters: count(of("dead")).as("dead_letters"),
        oldest_pending_age_seconds: age.as("oldest_pending_age_seconds"),
      })
      .from(table)
      .where(and(owned(table, organizationId, id), isNull(table.deleted_at))),
  );
}

export interface ReplayedOfDay {
  replayed: number;
  delivered: number;
  dead: number;
}

/** Reads the current state of the deliveries that were replayed in the last 24 hours. */
export const replayedOfDay = (organizationId: string, id: string): Query<ReplayedOfDay> => {
  const of = (status: WebhookDelivery["status"]) => sql<number>`coalesce(sum(status = ${status}), 0)`;
  const { ofDay } = healthLimits;
  const own = build
    .select({ id: table.id })
    .from(table)
    .where(owned(table, organizationId, id));
  const isReplayed = and(
    sql`${deliveries.endpoint_id} = (${own})`,
    isNotNull(deliveries.replayed_at),
    gte(deliveries.replayed_at, nowWith("-24 hours")),
  );
  const replayed = sql`(SELECT status FROM ${deliveries} INDEXED BY webhook_deliveries_replayed
    WHERE ${isReplayed} LIMIT ${ofDay})`;
  const selection = {
    replayed: sql<number>`count(*)`.as("replayed"),
    delivered: of("delivered").as("delivered"),
    dead: of("dead").as("dead"),
  };
  const { replayed: all, delivered, dead } = selection;
  return required(
    row(
      selection,
      sql`SELECT ${all.sql} AS replayed, ${delivered.sql} AS delivered, ${dead.sql} AS dead FROM ${replayed}`,
    ),
  );
};

/** Whether anything has been delivered to the endpoint's current address. */
export const hasArrivedSinceMove = (organizationId: string, id: string): Query<boolean> => {
  const since = build
    .select({ at: sql`coalesce(${table.url_changed_at}, '')`.as("at") })
    .from(table)
    .where(owned(table, organizationId, id));
  const arrived = build
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.endpoint_id, id),
        eq(deliveries.status, "delivered"),
        sql`${deliveries.settled_at} >= (${since})`,
      ),
    );
  return mapped(rowOf(arrived.limit(1)), (row) => row !== null);
};
