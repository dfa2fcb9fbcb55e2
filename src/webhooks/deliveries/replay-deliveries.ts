import { and, asc, eq, gte, isNull, lt, type SQL, sql } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import { replayLimits } from "../../contract/webhook-limits.ts";
import type { Staff } from "../../core/actor.ts";
import { changeEntries } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { webhookDeliveries as table } from "../../core/events/tables.ts";
import { updateAnswer } from "../../core/ledger/ledger.ts";
import { build, rowOf, rows, statement } from "../../db/build.ts";
import { now } from "../../db/columns.ts";
import { batch, type Query, run } from "../../db/query.ts";
import { webhookEndpoints as endpoints } from "../endpoints/tables.ts";
import type { ReplayedDeliveries } from "./record.ts";

interface ReplayFilter {
  endpoint: string;
  since?: string;
  until?: string;
  status: "dead" | "delivered" | "all";
}

/**
 * Restarts the schedule of up to `limit` deliveries of an endpoint, in the order in which they settled. They become due
 * one after the other, after earlier replays, so that they don't hold up first attempts to other endpoints. A disabled
 * endpoint is refused, because it would get all of them at once when enabled.
 */
export async function replayDeliveries(
  context: Context<Staff, "db">,
  { dry_run, limit, ...filter }: ReplayFilter & { dry_run: boolean; limit: number },
): Promise<ReplayedDeliveries | Refusal> {
  const { services, organization } = context;
  const found = await run(services.db, matching(organization.id, filter));
  if (!found) return noSuch("webhook endpoint", filter.endpoint);
  if (!found.enabled) return refuse("endpoint_disabled");
  const { matched } = found;
  const wanted = dry_run ? 0 : Math.min(limit, matched);
  let replayed = 0;
  while (replayed < wanted) {
    const size = Math.min(wanted - replayed, replayLimits.roundDeliveries);
    const { endpoint, ...details } = filter;
    const answer = { matched, replayed: replayed + size };
    const first = changeEntries(
      context,
      "webhook_deliveries.replayed",
      endpoint,
      { ...details, matched },
      { answer },
    );
    const [ids] = await batch(services.db, [
      replaySome(organization.id, filter, size),
      advanceReplaysUntil(endpoint),
      ...(replayed === 0 ? first : saveReplayProgress(context, answer)),
    ]);
    replayed += ids.length;
    // A concurrent call has replayed the rest, or the endpoint has been disabled or deleted.
    if (ids.length === 0) break;
  }
  return { matched, replayed };
}

const conditionOf = ({ endpoint, since, until, status }: ReplayFilter): SQL | undefined =>
  and(
    eq(table.endpoint_id, endpoint),
    sql.raw(status === "all" ? "status IN ('dead', 'delivered')" : `status = '${status}'`),
    since === undefined ? undefined : gte(table.created_at, since),
    until === undefined ? undefined : lt(table.created_at, until),
  );

/** Stores the result so far, so that a repeated call can return it if this one crashes in a later round. */
export const saveReplayProgress = ({ request }: Context<Staff, never>, answer: object): Query<void>[] =>
  request ? [updateAnswer(request, answer)] : [];

/** Counts the matching deliveries; null if the workspace has no such endpoint. */
function matching(
  organizationId: string,
  filter: ReplayFilter,
): Query<{ enabled: boolean; matched: number } | null> {
  const matched = sql<number>`(SELECT count(*) FROM ${table} WHERE ${conditionOf(filter)})`.as("matched");
  const own = and(
    eq(endpoints.id, filter.endpoint),
    eq(endpoints.organization_id, organizationId),
    isNull(endpoints.deleted_at),
  );
  return rowOf(build.select({ enabled: endpoints.enabled, matched }).from(endpoints).where(own));
}

/** Adds seconds, which may be fractional, to a time. */
const after = (time: SQL, seconds: SQL): SQL =>
  sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${time}, '+' || (${seconds}) || ' seconds')`;

const intervalSeconds = 1 / replayLimits.perSecond;

/** When the delivery at this position (1, 2, …) becomes due. */
export const dueAfter = (start: SQL, place: SQL): SQL =>
  after(start, sql`(${place} - 1) * ${intervalSeconds}`);

/** When an endpoint's next replay may become due. */
export const nextReplayAt = sql`max(${now}, coalesce(${endpoints.replays_until}, ''))`;

/** Replays the next deliveries, each due a little later than the one before. */
function replaySome(organizationId: string, filter: ReplayFilter, limit: number): Query<{ id: string }[]> {
  // The limit is in the inner query, because a window function reads all rows of its input.
  const first = sql`SELECT ${table.id}, ${table.settled_at}, ${table.created_at} FROM ${table}
    WHERE ${and(conditionOf(filter), eq(table.organization_id, organizationId))}
    ORDER BY ${asc(table.settled_at)}, ${asc(table.created_at)} LIMIT ${limit}`;
  const some = sql`(SELECT id, row_number() OVER (ORDER BY settled_at, created_at) AS place FROM (${first}))`;
  const start = build
    .select({ at: nextReplayAt.as("at") })
    .from(endpoints)
    .where(and(eq(endpoints.id, filter.endpoint), eq(endpoints.enabled, true), isNull(endpoints.deleted_at)));
  const due = dueAfter(sql`start.at`, sql`some.place`);
  return rows(
    { id: table.id },
    sql`UPDATE ${table} SET status = 'pending', attempts = 0, settled_at = NULL, next_attempt_at = ${due},
        replayed_at = ${now}
      FROM ${some} AS some, (${start}) AS start WHERE ${table}.id = some.id RETURNING ${table.id}`,
  );
}

/**
 * Advances the time at which the endpoint's next replay may become due. It must come right after the statement that
 * replays deliveries, because it reads `changes()`.
 */
export const advanceReplaysUntil = (endpoint: string): Query<void> =>
  statement(
    build
      .update(endpoints)
      .set({ replays_until: after(nextReplayAt, sql`changes() * ${intervalSeconds}`) })
      .where(and(eq(endpoints.id, endpoint), sql`changes() > 0`)),
  );
