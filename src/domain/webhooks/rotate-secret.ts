import { and, eq, isNull, sql } from "drizzle-orm";
import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { WebhookEndpointWithSecret } from "../../contract/workspace/webhooks.ts";
import { build, rowOf } from "../../db/build.ts";
import { batch } from "../../db/query.ts";
import { nowWith } from "../../db/schema/columns.ts";
import { webhookEndpoints as table } from "../../db/schema/webhooks.ts";
import { auditLog } from "../../db/schema/workspace.ts";
import { decrypt, encrypt } from "../../platform/encryption.ts";
import { type AdminContext, changeRecord } from "../audited-change.ts";
import { newId, sentBefore } from "../made-by-form.ts";
import { findEndpoint, sealedSecret } from "./read-endpoints.ts";
import { newSigningSecret } from "./sign.ts";

const hourSeconds = 3600;

/**
 * Makes a new secret; the previous one stays valid for the overlap (specification 6, Verification 4). A form that is
 * sent twice rotates once, because another rotation would end the secret that the receiver still has. The second answer
 * shows the secret that signs by then.
 */
export async function rotateSecret(
  context: AdminContext,
  secretKey: string,
  id: string,
  overlap_hours: number,
): Promise<WebhookEndpointWithSecret | AdminRefusal> {
  const { db, organization } = context;
  const [endpoint, sealed, rotation] = await batch(db, [
    findEndpoint(organization.id, id),
    sealedSecret(organization.id, id),
    rotationOf(context, id),
  ]);
  if (!endpoint || !sealed || endpoint.deleted_at) return noSuch("webhook endpoint", id);
  const { secret_encrypted } = sealed;
  if (rotation) {
    const present = { ...endpoint, secret: await decrypt(secretKey, id, secret_encrypted) };
    return sentBefore(rotation.created_at) ?? present;
  }
  const secret = newSigningSecret();
  const { changed, record } = await changeRecord(context, table, id, {
    action: "webhook_endpoint.secret_rotated",
    details: { overlap_hours },
    set: {
      // Both columns are encrypted for the endpoint's id, so that the text of one can move to the other.
      previous_secret_encrypted: sql`${table.secret_encrypted}`,
      secret_encrypted: await encrypt(secretKey, id, secret),
      previous_secret_expires_at: nowWith(`${Math.round(overlap_hours * hourSeconds)} seconds`),
    },
    guard: and(isNull(table.deleted_at), eq(table.secret_encrypted, secret_encrypted)),
    find: findEndpoint,
  });
  // Another call rotated or deleted it since the read, perhaps the first press of this form.
  return record && changed ? { ...record, secret } : rotateSecret(context, secretKey, id, overlap_hours);
}

/** The line that this form wrote to the audit log when it rotated. */
function rotationOf(context: AdminContext, id: string) {
  const { organization_id, subject_id, api_token_id } = auditLog;
  // By the index audit_log_of_admins.
  const about = and(eq(organization_id, context.organization.id), eq(subject_id, id), isNull(api_token_id));
  const line = and(about, eq(auditLog.id, newId(context)));
  return rowOf(build.select({ created_at: auditLog.created_at }).from(auditLog).where(line));
}
