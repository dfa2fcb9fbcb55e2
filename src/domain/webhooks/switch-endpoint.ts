import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { WebhookEndpoint } from "../../contract/workspace/webhooks.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { findEndpoint } from "./read-endpoints.ts";

/**
 * Enables or disables an endpoint, or deletes it. Triggers hold its pending deliveries, release them when it is enabled
 * (then its circuit breaker starts at 0 again), and end them when it is deleted.
 */
const switches = {
  enabled: "enabled = 1 WHERE enabled = 0",
  disabled: "enabled = 0 WHERE enabled = 1",
  deleted: "deleted_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE 1",
} as const;

/** An endpoint that stands that way already stays as it is. */
export async function switchEndpoint(
  context: AdminContext,
  id: string,
  to: keyof typeof switches,
): Promise<WebhookEndpoint | AdminRefusal> {
  const organizationId = context.organization.id;
  const { changed, record } = await changeWithAudit(context, {
    action: `webhook_endpoint.${to}`,
    subjectId: id,
    change: {
      sql: `UPDATE webhook_endpoints SET ${switches[to]} AND id = ? AND organization_id = ? AND deleted_at IS NULL RETURNING id`,
      params: [id, organizationId],
    },
    read: findEndpoint(organizationId, id),
  });
  return record && (changed || record.deleted_at === null) ? record : noSuch("webhook endpoint", id);
}
