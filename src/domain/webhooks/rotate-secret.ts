import { type AdminRefusal, noSuch } from "../../catalogue/admin-refusals.ts";
import type { WebhookEndpointWithSecret } from "../../catalogue/workspace/webhooks.ts";
import { seal } from "../../platform/secret-box.ts";
import { type Acting, act } from "../acting.ts";
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
  acting: Acting,
  secretKey: string,
  id: string,
  overlapHours: number,
): Promise<WebhookEndpointWithSecret | AdminRefusal> {
  const organizationId = acting.organization.id;
  const secret = newSecret();
  const sealed = await seal(secretKey, id, secret);
  const { changed, record } = await act(acting, {
    action: "webhook_endpoint.secret_rotated",
    subjectId: id,
    details: { overlap_hours: overlapHours },
    change: { sql: rotateSql, params: [sealed, Math.round(overlapHours * 3600), id, organizationId] },
    read: findEndpoint(organizationId, id),
  });
  return record && changed ? { ...record, secret } : noSuch("webhook endpoint", id);
}
