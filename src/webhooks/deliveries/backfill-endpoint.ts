import { and, eq, gte, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import { replayLimits } from "../../contract/webhook-limits.ts";
import type { Staff } from "../../core/actor.ts";
import { changeEntries } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { webhookDeliveries as deliveries, events } from "../../core/events/tables.ts";
import { build, insertSelect, rowOf, rows } from "../../db/build.ts";
import { batch, type Query, run } from "../../db/query.ts";
import { webhookEndpoints as endpoints } from "../endpoints/tables.ts";
import type { BackfilledDeliveries } from "./record.ts";
import { advanceReplaysUntil, dueAfter, nextReplayAt, saveReplayProgress } from "./replay-deliveries.ts";

interface Backfill {
  id: string;
  /** Events recorded at or after `since` and before `until`. */
  since: string;
  until?: string;
}

/**
 * Creates deliveries for stored events that an endpoint subscribes to but missed, because it was registered or
 * subscribed later. Creates at most `limit` per call, oldest event first. They become due one after the other, like
 * replays.
 */
export async function backfillEndpoint(
  context: Context<Staff, "db">,
  { dry_run, limit, ...wanted }: Backfill & { dry_run: boolean; limit: number },
): Promise<BackfilledDeliveries | Refusal> {
  const { services, organization } = context;
  const found = await run(services.db, matching(organization.id, wanted));
  if (!found) return noSuch("webhook endpoint", wanted.id);
  if (!found.enabled) return refuse("endpoint_disabled");
  const { matched } = found;
  const all = dry_run ? 0 : Math.min(limit, matched);
  let created = 0;
  while (created < all) {
    const size = Math.min(all - created, replayLimits.roundDeliveries);
    const { id, ...details } = wanted;
    const answer = { matched, created: created + size };
    const first = changeEntries(
      context,
      "webhook_endpoint.backfilled",
      id,
      { ...details, matched },
      { answer },
    );
    const [ids] = await batch(services.db, [
      createSome(organization.id, wanted, size),
      advanceReplaysUntil(id),
      ...(created === 0 ? first : saveReplayProgress(context, answer)),
    ]);
    created += ids.length;
    // A concurrent call has created the rest, or the endpoint has been disabled or deleted.
    if (ids.length === 0) break;
  }
  return { matched, created };
}

const ownEndpoint = (organizationId: string, id: string) =>
  and(eq(endpoints.id, id), eq(endpoints.organization_id, organizationId), isNull(endpoints.deleted_at));

/**
 * Events that the endpoint subscribes to but has no delivery for. Test events have no category, so they never match.
 */
const missing = (organizationId: string, { id, since, until }: Backfill): SQL | undefined =>
  and(
    eq(events.organization_id, organizationId),
    isNotNull(events.category),
    gte(events.created_at, since),
    until === undefined ? undefined : lt(events.created_at, until),
    sql`(${endpoints.events} IS NULL OR EXISTS (SELECT 1 FROM json_each(${endpoints.events})
      WHERE value IN (${events.event}, ${events.category})))`,
    sql`NOT EXISTS (SELECT 1 FROM ${deliveries} INDEXED BY webhook_deliveries_by_event
      WHERE ${deliveries.event_id} = ${events.id} AND ${deliveries.endpoint_id} = ${id})`,
  );

/** Counts the missing events; null if the workspace has no such endpoint. */
function matching(
  organizationId: string,
  wanted: Backfill,
): Query<{ enabled: boolean; matched: number } | null> {
  const matched = sql<number>`(SELECT count(*) FROM ${events} WHERE ${missing(organizationId, wanted)})`;
  return rowOf(
    build
      .select({ enabled: endpoints.enabled, matched: matched.as("matched") })
      .from(endpoints)
      .where(ownEndpoint(organizationId, wanted.id)),
  );
}

/** Creates deliveries for the next events, each due a little later than the one before. */
function createSome(organizationId: string, wanted: Backfill, limit: number): Query<{ id: string }[]> {
  const where = and(ownEndpoint(organizationId, wanted.id), eq(endpoints.enabled, true));
  // The limit is in the inner query, because a window function reads all rows of its input.
  const first = sql`SELECT ${events.id} AS event_id, ${events.event} AS event, ${events.sequence} AS sequence,
      ${nextReplayAt} AS start
    FROM ${endpoints} CROSS JOIN ${events} WHERE ${and(where, missing(organizationId, wanted))}
    ORDER BY ${events.sequence} LIMIT ${limit}`;
  const some = sql`SELECT *, row_number() OVER (ORDER BY sequence) AS place FROM (${first})`;
  return rows(
    { id: deliveries.id },
    sql`${insertSelect(
      deliveries,
      {
        organization_id: organizationId,
        endpoint_id: wanted.id,
        event_id: sql`some.event_id`,
        event: sql`some.event`,
        next_attempt_at: dueAfter(sql`some.start`, sql`some.place`),
      },
      sql`FROM (${some}) AS some ORDER BY some.place`,
    )} RETURNING id`,
  );
}
