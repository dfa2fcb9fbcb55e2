import { and, eq, gte, isNull, lt, type SQL, sql } from "drizzle-orm";
import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import { replayLimits } from "../../contract/webhook-limits.ts";
import { build, rowOf, rows } from "../../db/build.ts";
import { inRounds } from "../../db/in-rounds.ts";
import { batch, type Query, run } from "../../db/query.ts";
import { webhookEndpoints as endpoints, webhookDeliveries as table } from "../../db/schema/webhooks.ts";
import { type AdminContext, audited } from "../audited-change.ts";

export interface ReplayFilter {
  endpoint: string;
  since?: string;
  until?: string;
  status: "dead" | "delivered" | "all";
  dry_run: boolean;
}

/**
 * Gives many deliveries of an endpoint all their attempts again, the oldest first. They fall due one after
 * the other, so that however many there are, first attempts of others wait behind few of them.
 */
export async function replayDeliveries(
  context: AdminContext,
  { endpoint, dry_run, ...filter }: ReplayFilter,
): Promise<{ matched: number; replayed: number } | AdminRefusal> {
  const { db, organization } = context;
  const found = await run(db, matching(organization.id, endpoint, filter));
  if (!found) return noSuch("webhook endpoint", endpoint);
  if (dry_run) return { matched: found.matched, replayed: 0 };
  let replayed = 0;
  await inRounds({ maxRows: replayLimits.roundDeliveries, maxRounds: replayLimits.rounds }, async () => {
    const some = replaySome(organization.id, endpoint, filter, replayed);
    const log = audited(context, "webhook_deliveries.replayed", endpoint, {
      ...filter,
      matched: found.matched,
    });
    const [ids] = await batch(db, replayed === 0 ? [some, log] : [some]);
    replayed += ids.length;
    return ids.length;
  });
  return { matched: found.matched, replayed };
}

const conditionOf = (
  endpoint: string,
  { since, until, status }: Omit<ReplayFilter, "endpoint" | "dry_run">,
): SQL | undefined =>
  and(
    eq(table.endpoint_id, endpoint),
    sql.raw(status === "all" ? "status IN ('dead', 'delivered')" : `status = '${status}'`),
    since === undefined ? undefined : gte(table.created_at, since),
    until === undefined ? undefined : lt(table.created_at, until),
  );

/** Null if the workspace has no such endpoint. */
function matching(
  organizationId: string,
  endpoint: string,
  filter: Omit<ReplayFilter, "endpoint" | "dry_run">,
): Query<{ matched: number } | null> {
  const matched = sql<number>`(SELECT count(*) FROM ${table} WHERE ${conditionOf(endpoint, filter)})`.as(
    "matched",
  );
  const own = and(
    eq(endpoints.id, endpoint),
    eq(endpoints.organization_id, organizationId),
    isNull(endpoints.deleted_at),
  );
  return rowOf(build.select({ matched }).from(endpoints).where(own));
}

/** The next of them, each due a little later than the one before; `before`: how many have been replayed already. */
function replaySome(
  organizationId: string,
  endpoint: string,
  filter: Omit<ReplayFilter, "endpoint" | "dry_run">,
  before: number,
): Query<{ id: string }[]> {
  const id = { id: table.id };
  const place = sql`row_number() OVER (ORDER BY ${table.created_at}, ${table.id})`;
  const some = sql`(SELECT ${table.id} AS id, ${place} AS place FROM ${table}
    WHERE ${and(conditionOf(endpoint, filter), eq(table.organization_id, organizationId))}
    ORDER BY ${table.created_at}, ${table.id} LIMIT ${replayLimits.roundDeliveries})`;
  const seconds = sql`((${before} + some.place) / ${replayLimits.perSecond})`;
  const due = sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+' || ${seconds} || ' seconds')`;
  return rows(
    id,
    sql`UPDATE ${table} SET status = 'pending', attempts = 0, settled_at = NULL, next_attempt_at = ${due}
      FROM ${some} AS some WHERE ${table}.id = some.id RETURNING ${table.id}`,
  );
}
