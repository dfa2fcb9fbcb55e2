import { and, isNull } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeRecord } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { batch } from "../../db/query.ts";
import { checkTarget } from "../sending/public-address.ts";
import { addressesOf, hostHasRoom, refusedTarget, refuseEvents } from "./create-endpoint.ts";
import { findEndpoint } from "./read-endpoints.ts";
import type { WebhookEndpoint } from "./record.ts";
import { webhookEndpoints as table } from "./tables.ts";

interface EndpointChanges {
  url?: string;
  /** Names and categories; null: all events, future ones too. */
  events?: readonly string[] | null;
  description?: string | null;
}

/**
 * Changes where an endpoint is, what it gets and what it is called. Its secret and its history stay; what is pending
 * goes to the new address.
 */
export async function updateEndpoint(
  context: Context<Staff, "db" | "webhookTargets">,
  id: string,
  { url, events, description }: EndpointChanges,
): Promise<WebhookEndpoint | Refusal> {
  const { services, organization } = context;
  const unknown = refuseEvents(events ?? []);
  if (unknown) return unknown;
  const [found, known] = await batch(services.db, [
    findEndpoint(organization.id, id),
    addressesOf(organization.id),
  ]);
  if (!found || found.deleted_at !== null) return noSuch("webhook endpoint", id);
  if (url !== undefined) {
    const verdict = await checkTarget(url, services.webhookTargets);
    if (!verdict.ok) return refusedTarget(verdict.reason);
  }
  const hasRoom = url === undefined ? undefined : hostHasRoom(organization.id, url, known, id);
  const { changed, record } = await changeRecord(context, table, id, {
    action: "webhook_endpoint.updated",
    set: { url, events: events && [...new Set(events)], description },
    guard: and(isNull(table.deleted_at), hasRoom),
    find: findEndpoint,
  });
  if (changed && record) return record;
  return record?.deleted_at === null ? refuse("too_many_endpoints_of_host") : noSuch("webhook endpoint", id);
}
