import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import { webhookDeliveries as deliveries, events } from "../../core/events/tables.ts";
import { build, rowOf, rowsOf } from "../../db/build.ts";
import type { Query } from "../../db/query.ts";
import { ownedAmong } from "../../db/records.ts";
import { webhookEndpoints as endpoints } from "../endpoints/tables.ts";
import { webhookAttempts as attempts } from "./tables.ts";

/** What a delivery is about, and how its newest attempt ended (nulls if there was no attempt). */
export interface DeliveryOutcome {
  id: string;
  /** The record's title or number. */
  about: string | null;
  /** The number of logged attempts, including those before a replay. */
  attempts: number;
  response_status: number | null;
  latency_ms: number | null;
  error_class: string | null;
  response_body: string | null;
  /** 1 if the endpoint's address has changed since the attempt. */
  is_of_earlier_address: number;
}

/** How many characters of each response a list reads. */
const answerCharacters = 120;

const about = sql<string | null>`coalesce(json_extract(${events.payload}, '$.data.title'),
  json_extract(${events.payload}, '$.data.number'), json_extract(${events.payload}, '$.data.project_name'))`;

const isOfEarlierAddress = sql<number>`coalesce(${attempts.attempted_at} < ${endpoints.url_changed_at}, 0)`;

const newest = sql`(SELECT max(${attempts.attempted_at}) FROM ${attempts}
  WHERE ${eq(attempts.delivery_id, deliveries.id)})`;

const newestFailed = sql`(SELECT max(${attempts.attempted_at}) FROM ${attempts}
  WHERE ${eq(attempts.delivery_id, deliveries.id)} AND ${isNotNull(attempts.error_class)})`;

/** Finds the newest failed attempt at an endpoint's current address; null if none is stored. */
export const newestFailure = (organizationId: string, endpointId: string) =>
  rowOf(
    build
      .select({
        response_status: attempts.response_status,
        latency_ms: attempts.latency_ms,
        error_class: attempts.error_class,
        response_body: attempts.response_body,
      })
      .from(deliveries)
      .innerJoin(endpoints, eq(endpoints.id, deliveries.endpoint_id))
      .innerJoin(
        attempts,
        and(eq(attempts.delivery_id, deliveries.id), eq(attempts.attempted_at, newestFailed)),
      )
      .where(
        and(
          eq(deliveries.organization_id, organizationId),
          eq(deliveries.endpoint_id, endpointId),
          isNotNull(deliveries.failed_at),
          sql`${deliveries.failed_at} >= coalesce(${endpoints.url_changed_at}, '')`,
        ),
      )
      .orderBy(desc(deliveries.failed_at))
      .limit(1),
  );

/** Reads the deliveries with these ids, in no particular order. */
export function outcomesOf(organizationId: string, ids: readonly string[]): Query<DeliveryOutcome[]> {
  return rowsOf(
    build
      .select({
        id: deliveries.id,
        about: about.as("about"),
        attempts: sql<number>`(SELECT count(*) FROM ${attempts}
          WHERE ${eq(attempts.delivery_id, deliveries.id)})`.as("attempts"),
        response_status: attempts.response_status,
        latency_ms: attempts.latency_ms,
        error_class: attempts.error_class,
        response_body: sql<string | null>`substr(${attempts.response_body}, 1, ${answerCharacters})`.as(
          "response_body",
        ),
        is_of_earlier_address: isOfEarlierAddress.as("is_of_earlier_address"),
      })
      .from(deliveries)
      .innerJoin(endpoints, eq(endpoints.id, deliveries.endpoint_id))
      .innerJoin(events, eq(events.id, deliveries.event_id))
      .leftJoin(attempts, and(eq(attempts.delivery_id, deliveries.id), eq(attempts.attempted_at, newest)))
      .where(ownedAmong(deliveries, organizationId, ids)),
  );
}
