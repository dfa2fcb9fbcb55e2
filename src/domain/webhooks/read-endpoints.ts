import type { WebhookEndpoint, WebhookHealth } from "../../contract/workspace/webhooks.ts";
import type { Query, Row } from "../../db/query.ts";

const columns = `id, url, description, events, enabled, disabled_reason, created_by, created_at, updated_at, deleted_at,
  iif(previous_secret_expires_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), previous_secret_expires_at, NULL)
    AS previous_secret_expires_at`;

const toEndpoint = (row: Row): WebhookEndpoint => ({
  ...(row as WebhookEndpoint),
  events: row.events === null ? null : JSON.parse(row.events),
  enabled: row.enabled === 1,
});

/** Deleted ones too: a change answers with what it left. */
export const findEndpoint = (organizationId: string, id: string): Query<WebhookEndpoint | null> => ({
  sql: `SELECT ${columns} FROM webhook_endpoints WHERE id = ? AND organization_id = ?`,
  params: [id, organizationId],
  read: ([row]) => (row ? toEndpoint(row) : null),
});

export const listEndpoints = (organizationId: string): Query<WebhookEndpoint[]> => ({
  sql: `SELECT ${columns} FROM webhook_endpoints WHERE organization_id = ? AND deleted_at IS NULL
ORDER BY created_at DESC, id DESC`,
  params: [organizationId],
  read: (rows) => rows.map(toEndpoint),
});

/** Every figure but the two counters of the row is read off the index webhook_deliveries_by_endpoint alone. */
const healthSql = `
WITH day AS (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours') AS start)
SELECT id, url, enabled, consecutive_failures, consecutive_dead,
  (SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = ?1 AND status = 'delivered'
    AND settled_at >= (SELECT start FROM day)) AS delivered_24h,
  (SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = ?1 AND status = 'dead'
    AND settled_at >= (SELECT start FROM day)) AS failed_24h,
  (SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = ?1 AND status = 'pending') AS pending_backlog,
  (SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = ?1 AND status = 'dead') AS dead_letters,
  (SELECT cast((julianday('now') - julianday(created_at)) * 86400 AS INTEGER) FROM webhook_deliveries
    WHERE endpoint_id = ?1 AND status = 'pending' AND settled_at IS NULL ORDER BY created_at LIMIT 1)
    AS oldest_pending_age_seconds
FROM webhook_endpoints WHERE id = ?1 AND organization_id = ?2 AND deleted_at IS NULL`;

/** The health figures of specification 6; null if the workspace has no such endpoint. */
export const endpointHealth = (organizationId: string, id: string): Query<WebhookHealth | null> => ({
  sql: healthSql,
  params: [id, organizationId],
  read: ([row]) => (row ? { ...(row as WebhookHealth), enabled: row.enabled === 1 } : null),
});
