import { sendingLimits } from "../../contract/webhook-limits.ts";
import { inRounds } from "../../db/in-rounds.ts";
import { type Query, run } from "../../db/query.ts";
import { send } from "./delivery-queues.ts";
import type { LeasedId, WakingServices } from "./webhook-services.ts";

const limits = { most: sendingLimits.claimDeliveries, rounds: sendingLimits.claimRounds };

/**
 * Claims what is due of one organization and wakes the sender for it: in one statement, since right after a change
 * something usually is due. Answers with how many were claimed.
 */
export const dispatchDue = (services: WakingServices, organizationId: string): Promise<number> =>
  inRounds(limits, () => wake(services, claimDue(organizationId, limits.most)));

/**
 * The same for all organizations, each minute. It looks first: a minute with nothing due reads one row. When more is due
 * than one look takes, the next looks go around the organizations, so that nobody waits behind another's backlog.
 */
export function sweepDue(services: WakingServices): Promise<number> {
  let look = lookForDue(limits.most);
  return inRounds(limits, async () => {
    const due = await run(services.db, look);
    if (due.length > 0) await wake(services, claimSeen(due));
    look = lookAround(limits.most);
    return due.length;
  });
}

async function wake({ db, queues }: WakingServices, claim: Query<LeasedId[]>): Promise<number> {
  const claims = await run(db, claim);
  await send(queues, "fast", claims);
  return claims.length;
}

/** Held deliveries have no next_attempt_at: only what may be sent is ever claimed. */
const isDue = `status = 'pending' AND next_attempt_at IS NOT NULL
    AND next_attempt_at <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

const leaseEnd = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+${sendingLimits.leaseSeconds} seconds')`;

/**
 * A claim is one statement that moves next_attempt_at to the end of the lease, so that no other claim finds the delivery
 * before. A claim whose message is lost is found again when its lease has ended.
 */
const claimSql = (rowids: string) => `
UPDATE webhook_deliveries SET next_attempt_at = ${leaseEnd}, lease_ends_at = ${leaseEnd}
WHERE rowid IN (${rowids}) AND ${isDue}
RETURNING id, next_attempt_at AS lease`;

const claimDueSql = claimSql(
  `SELECT rowid FROM webhook_deliveries WHERE organization_id = ? AND ${isDue} ORDER BY next_attempt_at LIMIT ?`,
);
const claimSeenSql = claimSql("SELECT value FROM json_each(?)");

export const claimDue = (organizationId: string, limit: number): Query<LeasedId[]> => ({
  sql: claimDueSql,
  params: [organizationId, limit],
  read: (rows) => rows as LeasedId[],
});

/** Read off the index webhook_deliveries_due alone: what is due and one more. Answers with row numbers. */
export const lookForDue = (limit: number): Query<number[]> => ({
  sql: `SELECT rowid FROM webhook_deliveries WHERE ${isDue} ORDER BY next_attempt_at LIMIT ?`,
  params: [limit],
  read: (rows) => rows.map(({ rowid }) => rowid),
});

/** Of every organization with pending deliveries the oldest that is due, then of each the second oldest, and so on. */
const lookAroundSql = `
WITH RECURSIVE organization (id) AS (
  SELECT min(organization_id) FROM webhook_deliveries WHERE status = 'pending' AND next_attempt_at IS NOT NULL
  UNION ALL
  SELECT (SELECT min(organization_id) FROM webhook_deliveries
    WHERE status = 'pending' AND next_attempt_at IS NOT NULL AND organization_id > organization.id)
  FROM organization WHERE organization.id IS NOT NULL)
SELECT delivery.rowid FROM organization CROSS JOIN webhook_deliveries AS delivery ON delivery.rowid IN (
  SELECT rowid FROM webhook_deliveries WHERE organization_id = organization.id AND ${isDue} ORDER BY next_attempt_at LIMIT ?1)
ORDER BY row_number() OVER (PARTITION BY organization.id ORDER BY delivery.next_attempt_at) LIMIT ?1`;

export const lookAround = (limit: number): Query<number[]> => ({
  sql: lookAroundSql,
  params: [limit],
  read: (rows) => rows.map(({ rowid }) => rowid),
});

/** Those of them that still are due. */
export const claimSeen = (rowids: readonly number[]): Query<LeasedId[]> => ({
  sql: claimSeenSql,
  params: [JSON.stringify(rowids)],
  read: (rows) => rows as LeasedId[],
});
