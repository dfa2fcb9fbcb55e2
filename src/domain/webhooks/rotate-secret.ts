import { and, eq, isNull, sql } from "drizzle-orm";
import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import type { WebhookEndpoint, WebhookEndpointWithSecret } from "../../contract/workspace/webhooks.ts";
import { build, rowOf } from "../../db/build.ts";
import { batch } from "../../db/query.ts";
import { owned } from "../../db/records.ts";
import { nowWith } from "../../db/schema/columns.ts";
import { webhookEndpoints as table } from "../../db/schema/webhooks.ts";
import { decrypt, encrypt } from "../../platform/encryption.ts";
import { type AdminContext, changeRecord } from "../audited-change.ts";
import { sentBefore, unguessableBytes } from "../made-by-form.ts";
import { findEndpoint } from "./read-endpoints.ts";
import { newSigningSecret } from "./sign.ts";

const hourSeconds = 3600;

/**
 * A new secret; the previous one stays valid beside it for the overlap (specification 6, Verification 4). A form that
 * is sent twice rotates once: another rotation would end the secret that the receiver still has.
 */
export async function rotateSecret(
  context: AdminContext,
  secretKey: string,
  id: string,
  overlap_hours: number,
): Promise<WebhookEndpointWithSecret | AdminRefusal> {
  const secret = newSigningSecret(unguessableBytes(context, secretKey, webhookLimits.secretBytes));
  const { sealed, endpoint } = await present(context, id);
  if (!sealed || !endpoint) return noSuch("webhook endpoint", id);
  if (context.form !== undefined && (await decrypt(secretKey, id, sealed.secret_encrypted)) === secret)
    return sentBefore(rotatedAt(endpoint, overlap_hours)) ?? { ...endpoint, secret };
  const { changed, record } = await changeRecord(context, table, id, {
    action: "webhook_endpoint.secret_rotated",
    details: { overlap_hours },
    set: {
      // Both are encrypted for the endpoint's id, so that the present secret can become the previous one as it is.
      previous_secret_encrypted: sql`${table.secret_encrypted}`,
      secret_encrypted: await encrypt(secretKey, id, secret),
      previous_secret_expires_at: nowWith(`${Math.round(overlap_hours * hourSeconds)} seconds`),
    },
    guard: and(isNull(table.deleted_at), eq(table.secret_encrypted, sealed.secret_encrypted)),
    find: findEndpoint,
  });
  // Rotated or deleted since it was read: by this form's other press, perhaps.
  return record && changed ? { ...record, secret } : rotateSecret(context, secretKey, id, overlap_hours);
}

async function present({ db, organization }: AdminContext, id: string) {
  const where = and(owned(table, organization.id, id), isNull(table.deleted_at));
  const [sealed, endpoint] = await batch(db, [
    rowOf(build.select({ secret_encrypted: table.secret_encrypted }).from(table).where(where)),
    findEndpoint(organization.id, id),
  ]);
  return { sealed, endpoint };
}

/** Null: nobody can tell, since the overlap is over. */
const rotatedAt = ({ previous_secret_expires_at: endsAt }: WebhookEndpoint, overlapHours: number) =>
  endsAt && new Date(Date.parse(endsAt) - overlapHours * hourSeconds * 1000).toISOString();
