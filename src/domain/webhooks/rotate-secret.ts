import { and, isNull, sql } from "drizzle-orm";
import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { WebhookEndpointWithSecret } from "../../contract/workspace/webhooks.ts";
import { build } from "../../db/build.ts";
import { owned } from "../../db/records.ts";
import { nowWith } from "../../db/schema/columns.ts";
import { webhookEndpoints as table } from "../../db/schema/webhooks.ts";
import { encrypt } from "../../platform/encryption.ts";
import { type AdminContext, changeWithAudit } from "../audited-change.ts";
import { findEndpoint } from "./read-endpoints.ts";
import { newSecret } from "./sign.ts";

const hourSeconds = 3600;

/** A new secret; the previous one stays valid beside it for the overlap (specification 6, Verification 4). */
export async function rotateSecret(
  context: AdminContext,
  secretKey: string,
  id: string,
  overlapHours: number,
): Promise<WebhookEndpointWithSecret | AdminRefusal> {
  const organizationId = context.organization.id;
  const secret = newSecret();
  const { changed, record } = await changeWithAudit(context, {
    action: "webhook_endpoint.secret_rotated",
    subjectId: id,
    details: { overlap_hours: overlapHours },
    change: build
      .update(table)
      .set({
        // Both are encrypted for the endpoint's id, so that the present secret can become the previous one as it is.
        previous_secret_encrypted: sql`${table.secret_encrypted}`,
        secret_encrypted: await encrypt(secretKey, id, secret),
        previous_secret_expires_at: nowWith(`${Math.round(overlapHours * hourSeconds)} seconds`),
      })
      .where(and(owned(table, organizationId, id), isNull(table.deleted_at)))
      .returning({ id: table.id }),
    read: findEndpoint(organizationId, id),
  });
  return record && changed ? { ...record, secret } : noSuch("webhook endpoint", id);
}
