import type { WebhookDelivery, WebhookDeliveryInFull } from "../../contract/workspace/webhooks.ts";
import { batch, type Query, type Row } from "../../db/query.ts";

const columns =
  "id, endpoint_id, event_id, event, status, attempts, next_attempt_at, settled_at, created_at, status = 'pending' AND next_attempt_at IS NULL AS held";

const toDelivery = (row: Row): WebhookDelivery => ({ ...(row as WebhookDelivery), held: row.held === 1 });

export interface DeliveryFilter {
  endpoint?: string;
  status?: "pending" | "delivered" | "dead";
  limit: number;
}

/**
 * Newest first. What is pending or dead is little and stands together in webhook_deliveries_by_endpoint; everything else
 * is met soon on the way down webhook_deliveries_newest.
 */
export const listDeliveries = (
  organizationId: string,
  { endpoint, status, limit }: DeliveryFilter,
): Query<WebhookDelivery[]> => ({
  sql:
    status === "pending" || status === "dead"
      ? `SELECT ${columns} FROM webhook_deliveries INDEXED BY webhook_deliveries_by_endpoint
WHERE endpoint_id IN (SELECT id FROM webhook_endpoints WHERE organization_id = ?1 AND (?2 IS NULL OR id = ?2))
  AND status = ?3 ORDER BY created_at DESC, id DESC LIMIT ?4`
      : `SELECT ${columns} FROM webhook_deliveries INDEXED BY webhook_deliveries_newest
WHERE organization_id = ?1 AND (?2 IS NULL OR endpoint_id = ?2) AND (?3 IS NULL OR status = ?3)
ORDER BY created_at DESC, id DESC LIMIT ?4`,
  params: [organizationId, endpoint ?? null, status ?? null, limit],
  read: (rows) => rows.map(toDelivery),
});

export const findDelivery = (organizationId: string, id: string): Query<WebhookDelivery | null> => ({
  sql: `SELECT ${columns} FROM webhook_deliveries WHERE id = ? AND organization_id = ?`,
  params: [id, organizationId],
  read: ([row]) => (row ? toDelivery(row) : null),
});

const attemptLog = (organizationId: string, id: string): Query<WebhookDeliveryInFull["attempt_log"]> => ({
  sql: `SELECT attempt_number, attempted_at, response_status, latency_ms, error_class, response_body, next_attempt_at
FROM webhook_attempts WHERE delivery_id = ? AND organization_id = ? ORDER BY attempted_at`,
  params: [id, organizationId],
  read: (rows) => rows as WebhookDeliveryInFull["attempt_log"],
});

const payloadOf = (organizationId: string, id: string): Query<unknown> => ({
  sql: `SELECT payload FROM events
WHERE id = (SELECT event_id FROM webhook_deliveries WHERE id = ?) AND organization_id = ?`,
  params: [id, organizationId],
  read: ([row]) => (row ? JSON.parse(row.payload) : null),
});

/** A delivery with its log; null if the workspace has no such delivery. */
export async function showDelivery(
  db: D1Database,
  organizationId: string,
  id: string,
): Promise<WebhookDeliveryInFull | null> {
  const [delivery, attempt_log, payload] = await batch(db, [
    findDelivery(organizationId, id),
    attemptLog(organizationId, id),
    payloadOf(organizationId, id),
  ]);
  return delivery && { ...delivery, attempt_log, payload };
}
