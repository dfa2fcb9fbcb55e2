import { and, eq, isNull } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeRecord } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { batch } from "../../db/query.ts";
import { checkTarget } from "../sending/public-address.ts";
import { addressesOf, hasRoomOnHost, refusedTarget, refuseEvents } from "./create-endpoint.ts";
import { type EndpointHeaders, encryptHeaders } from "./headers.ts";
import { findEndpoint } from "./read-endpoints.ts";
import type { WebhookEndpoint } from "./record.ts";
import { webhookEndpoints as table } from "./tables.ts";

interface EndpointChanges {
  url?: string;
  /** Event names and categories; null or an empty list for all events, including future ones. */
  events?: readonly string[] | null;
  description?: string | null;
  /** Null removes the headers. */
  headers?: EndpointHeaders | null;
}

/**
 * Changes an endpoint's address, events, description or headers. The secret and the history stay, and pending
 * deliveries go to the new address. If the origin changes, headers are dropped unless they are set again.
 */
export async function updateEndpoint(
  context: Context<Staff, "db" | "webhookTargets" | "webhookSecretKey">,
  id: string,
  changes: EndpointChanges,
): Promise<WebhookEndpoint | Refusal> {
  const { services, organization } = context;
  const { url, events, description } = changes;
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
  const hasRoom = url === undefined ? undefined : hasRoomOnHost(organization.id, url, known, id);
  const headers = headersFor(found, changes);
  const sealed = headers && (await encryptHeaders(services.webhookSecretKey, id, headers));
  const { changed, record } = await changeRecord(context, table, id, {
    action: "webhook_endpoint.updated",
    set: { url, events: subscriptionTo(events), description, ...sealed },
    guard: and(isNull(table.deleted_at), eq(table.url, found.url), hasRoom),
    find: findEndpoint,
  });
  if (changed && record) return record;
  // Another call has changed the address. Start again, because the address decides whether the headers stay.
  if (record?.deleted_at === null && record.url !== found.url) return updateEndpoint(context, id, changes);
  return record?.deleted_at === null ? refuse("too_many_endpoints_of_host") : noSuch("webhook endpoint", id);
}

/** Returns the new subscription; undefined if it doesn't change. */
const subscriptionTo = (events: EndpointChanges["events"]) =>
  events?.length === 0 ? null : events && [...new Set(events)];

/** Returns the new headers; undefined if they don't change. */
function headersFor(found: WebhookEndpoint, { url, headers }: EndpointChanges): EndpointHeaders | undefined {
  if (headers !== undefined) return headers ?? {};
  const isElsewhere = url !== undefined && URL.parse(url)?.origin !== URL.parse(found.url)?.origin;
  return isElsewhere && found.headers.length > 0 ? {} : undefined;
}
