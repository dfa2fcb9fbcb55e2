import { sendingLimits } from "../../contract/webhook-limits.ts";
import type { Query } from "../../db/query.ts";
import type { LeasedId } from "./webhook-services.ts";

/** A delivery under its lease, with everything that an attempt needs. */
export interface LeasedDelivery extends LeasedId {
  event: string;
  /** Attempts made so far. */
  attempts: number;
  /** The body, byte for byte. */
  payload: string;
  endpointId: string;
  url: string;
  secretEncrypted: string;
  /** Null outside the overlap of a rotation. */
  previousSecretEncrypted: string | null;
  /** Failed attempts of the endpoint since its last success. */
  consecutiveFailures: number;
}

const loadSql = `
SELECT delivery.id, delivery.next_attempt_at AS lease, delivery.event, delivery.attempts, events.payload,
  endpoint.id AS endpointId, endpoint.url, endpoint.secret_encrypted AS secretEncrypted,
  iif(endpoint.previous_secret_expires_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), endpoint.previous_secret_encrypted, NULL)
    AS previousSecretEncrypted, endpoint.consecutive_failures AS consecutiveFailures
FROM json_each(?) AS wanted
CROSS JOIN webhook_deliveries AS delivery ON delivery.id = wanted.value ->> 0
CROSS JOIN events ON events.id = delivery.event_id
CROSS JOIN webhook_endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
WHERE delivery.status = 'pending' AND delivery.next_attempt_at = wanted.value ->> 1
  AND delivery.next_attempt_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+${sendingLimits.leaseLeftSeconds} seconds')`;

/**
 * Those of the claimed deliveries that still are what they were when they were claimed. A lost or ending lease, a settled
 * delivery and a held one (its next_attempt_at is NULL) are not among them.
 */
export const loadLeased = (claims: readonly LeasedId[]): Query<LeasedDelivery[]> => ({
  sql: loadSql,
  params: [JSON.stringify(claims.map(({ id, lease }) => [id, lease]))],
  read: (rows) => rows as LeasedDelivery[],
});
