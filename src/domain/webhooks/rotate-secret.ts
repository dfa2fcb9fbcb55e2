import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { WebhookEndpointWithSecret } from "../../contract/workspace/webhooks.ts";
import { encrypt } from "../../platform/encryption.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { findEndpoint } from "./read-endpoints.ts";
import { newSecret } from "./sign.ts";

/** Both are sealed to the endpoint's id, so that the present secret can become the previous one as it is. */
const rotateSql = `
UPDATE webhook_endpoints
SET previous_secret_encrypted = secret_encrypted, secret_encrypted = ?,
  previous_secret_expires_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ? || ' seconds')
WHERE id = ? AND organization_id = ? AND deleted_at IS NULL RETURNING id`;

/** A new secret; the previous one stays valid beside it for the overlap (specification 6, Verification 4). */
export async function rotateSecret(
  context: AdminContext,
  secretKey: string,
  id: string,
  overlapHours: number,
): Promise<WebhookEndpointWithSecret | AdminRefusal> {
  const organizationId = context.organization.id;
  const secret = newSecret();
  const sealed = await encrypt(secretKey, id, secret);
  const { changed, record } = await changeWithAudit(context, {
    action: "webhook_endpoint.secret_rotated",
    subjectId: id,
    details: { overlap_hours: overlapHours },
    change: { sql: rotateSql, params: [sealed, Math.round(overlapHours * 3600), id, organizationId] },
    read: findEndpoint(organizationId, id),
  });
  return record && changed ? { ...record, secret } : noSuch("webhook endpoint", id);
}
