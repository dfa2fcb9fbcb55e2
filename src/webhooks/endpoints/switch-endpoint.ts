import { and, eq, isNull, type SQL } from "drizzle-orm";
import { noSuch, type Refusal } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { auditEntryBefore, changeRecord } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { build, statement } from "../../db/build.ts";
import { now } from "../../db/columns.ts";
import type { Query } from "../../db/query.ts";
import { findEndpoint } from "./read-endpoints.ts";
import type { WebhookEndpoint } from "./record.ts";
import { webhookEndpoints as table } from "./tables.ts";

/**
 * Triggers hold an endpoint's pending deliveries when it is disabled, release them when it is enabled (which also
 * resets the circuit breaker), and end them when it is deleted. Deleting an endpoint removes its secrets and headers.
 */
const switches = {
  enabled: { set: { enabled: true }, from: eq(table.enabled, false) },
  disabled: { set: { enabled: false }, from: eq(table.enabled, true) },
  deleted: {
    set: {
      deleted_at: now,
      secret_encrypted: "",
      previous_secret_encrypted: null,
      headers: [],
      headers_encrypted: null,
    },
    from: undefined,
  },
};

/** Enables, disables or deletes an endpoint. An endpoint that is already in that state stays unchanged. */
export async function switchEndpoint(
  context: Context<Staff, "db">,
  id: string,
  to: keyof typeof switches,
): Promise<WebhookEndpoint | Refusal> {
  const { set, from } = switches[to];
  const { changed, record } = await changeRecord(context, table, id, {
    action: `webhook_endpoint.${to}`,
    set,
    guard: and(isNull(table.deleted_at), from),
    find: findEndpoint,
  });
  return record && (changed || record.deleted_at === null) ? record : noSuch("webhook endpoint", id);
}

/** Builds the statements that delete an endpoint of the workspace as part of another change. */
export function deletingEndpoint(context: Context<Staff, never>, is: SQL): readonly Query<void>[] {
  const { set } = switches.deleted;
  const where = and(eq(table.organization_id, context.organization.id), isNull(table.deleted_at), is);
  return [
    auditEntryBefore(context, table, { action: "webhook_endpoint.deleted", set, where }),
    statement(build.update(table).set(set).where(where)),
  ];
}
