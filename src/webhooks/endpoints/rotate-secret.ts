import { and, eq, isNull, sql } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeRecord } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { nowWith } from "../../db/columns.ts";
import { batch } from "../../db/query.ts";
import { encrypt } from "../../platform/encryption.ts";
import { newSigningSecret } from "../sending/sign.ts";
import { findEncryptedSecret, findEndpoint } from "./read-endpoints.ts";
import type { WebhookEndpointWithSecret } from "./record.ts";
import { webhookEndpoints as table } from "./tables.ts";

const hourSeconds = 3600;

/**
 * Creates a new secret. The previous one stays valid for the overlap (contract W11). A rotation during an overlap is
 * refused, because a receiver may still use the secret that it would invalidate.
 */
export async function rotateSecret(
  context: Context<Staff, "db" | "webhookSecretKey">,
  id: string,
  overlap_hours: number,
): Promise<WebhookEndpointWithSecret | Refusal> {
  const { services, organization } = context;
  const [endpoint, sealed] = await batch(services.db, [
    findEndpoint(organization.id, id),
    findEncryptedSecret(organization.id, id),
  ]);
  if (!endpoint || !sealed || endpoint.deleted_at) return noSuch("webhook endpoint", id);
  const until = endpoint.previous_secret_expires_at;
  if (until) return refuse("overlap_running", { until });
  const { secret_encrypted } = sealed;
  const secret = newSigningSecret();
  const newEncrypted = await encrypt(services.webhookSecretKey, id, secret);
  const { changed, record } = await changeRecord(context, table, id, {
    action: "webhook_endpoint.secret_rotated",
    details: { overlap_hours },
    set: {
      // Both columns are encrypted for the endpoint's id, so a ciphertext can move from one to the other.
      previous_secret_encrypted: sql`${table.secret_encrypted}`,
      secret_encrypted: newEncrypted,
      previous_secret_expires_at: nowWith(`${Math.round(overlap_hours * hourSeconds)} seconds`),
    },
    secret: newEncrypted,
    guard: and(isNull(table.deleted_at), eq(table.secret_encrypted, secret_encrypted)),
    find: findEndpoint,
  });
  // If nothing changed, another call has rotated the secret or deleted the endpoint, so start again.
  return record && changed ? { ...record, secret } : rotateSecret(context, id, overlap_hours);
}
