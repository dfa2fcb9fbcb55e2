import { isNull, sql } from "drizzle-orm";
import { type AdminRefusal, noSuch } from "../../contract/admin-refusals.ts";
import type { WebhookEndpointWithSecret } from "../../contract/workspace/webhooks.ts";
import { nowWith } from "../../db/schema/columns.ts";
import { webhookEndpoints as table } from "../../db/schema/webhooks.ts";
import { encrypt } from "../../platform/encryption.ts";
import { type AdminContext, changeRecord } from "../audited-change.ts";
import { findEndpoint } from "./read-endpoints.ts";
import { newSigningSecret } from "./sign.ts";

const hourSeconds = 3600;

/** A new secret; the previous one stays valid beside it for the overlap (specification 6, Verification 4). */
export async function rotateSecret(
  context: AdminContext,
  secretKey: string,
  id: string,
  overlap_hours: number,
): Promise<WebhookEndpointWithSecret | AdminRefusal> {
  const secret = newSigningSecret();
  const { changed, record } = await changeRecord(context, table, id, {
    action: "webhook_endpoint.secret_rotated",
    details: { overlap_hours },
    set: {
      // Both are encrypted for the endpoint's id, so that the present secret can become the previous one as it is.
      previous_secret_encrypted: sql`${table.secret_encrypted}`,
      secret_encrypted: await encrypt(secretKey, id, secret),
      previous_secret_expires_at: nowWith(`${Math.round(overlap_hours * hourSeconds)} seconds`),
    },
    guard: isNull(table.deleted_at),
    find: findEndpoint,
  });
  return record && changed ? { ...record, secret } : noSuch("webhook endpoint", id);
}
