import { type AdminRefusal, deny, noSuch } from "../../contract/admin-refusals.ts";
import type { WebhookDelivery } from "../../contract/workspace/webhooks.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { findDelivery } from "./read-deliveries.ts";

/** A trigger holds it if its endpoint is not ready. */
const replaySql = `
UPDATE webhook_deliveries
SET status = 'pending', attempts = 0, settled_at = NULL, next_attempt_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
WHERE id = ? AND organization_id = ? AND status = 'dead'
  AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = endpoint_id AND deleted_at IS NULL)
RETURNING id`;

/** Gives a dead delivery all its attempts again, under the same id; the first is due now. */
export async function replayDelivery(
  context: AdminContext,
  id: string,
): Promise<WebhookDelivery | AdminRefusal> {
  const organizationId = context.organization.id;
  const { changed, record } = await changeWithAudit(context, {
    action: "webhook_delivery.replayed",
    subjectId: id,
    change: { sql: replaySql, params: [id, organizationId] },
    read: findDelivery(organizationId, id),
  });
  if (!record) return noSuch("webhook delivery", id);
  if (changed) return record;
  return record.status === "dead"
    ? deny("The endpoint of this delivery was deleted")
    : deny(`This delivery is ${record.status}: only a dead one can be replayed`);
}
