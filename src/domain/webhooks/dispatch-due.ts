import { sendingLimits } from "../../catalogue/webhook-limits.ts";
import { type Query, run } from "../../db/query.ts";
import { send } from "./lanes.ts";
import type { LeasedId, WakingServices } from "./webhook-services.ts";

/**
 * Claims the pending deliveries that are due, of one organization or (null) of all, and wakes the sender for them. The
 * claim is one statement that moves next_attempt_at to the end of the lease, so that no other claim finds them before. A
 * claim whose message is lost is found again when its lease has ended. Answers with how many were claimed.
 */
export async function dispatchDue(services: WakingServices, organizationId: string | null): Promise<number> {
  let claimed = 0;
  for (let round = 0; round < sendingLimits.claimRounds; round += 1) {
    const claims = await run(services.db, claimDue(organizationId, sendingLimits.claimDeliveries));
    await send(services.lanes, "fast", claims);
    claimed += claims.length;
    if (claims.length < sendingLimits.claimDeliveries) break;
  }
  return claimed;
}

const claimSql = (ofOrganization: string) => `
UPDATE webhook_deliveries
SET next_attempt_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+${sendingLimits.leaseSeconds} seconds')
WHERE rowid IN (
  SELECT rowid FROM webhook_deliveries
  WHERE ${ofOrganization}status = 'pending' AND next_attempt_at IS NOT NULL
    AND next_attempt_at <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
  ORDER BY next_attempt_at LIMIT ?)
RETURNING id, next_attempt_at AS lease`;
const claimSqlOfAll = claimSql("");
const claimSqlOfOne = claimSql("organization_id = ? AND ");

/** Held deliveries have no next_attempt_at: only what may be sent is ever claimed. */
export const claimDue = (organizationId: string | null, limit: number): Query<LeasedId[]> => ({
  sql: organizationId === null ? claimSqlOfAll : claimSqlOfOne,
  params: organizationId === null ? [limit] : [organizationId, limit],
  read: (rows) => rows as LeasedId[],
});
