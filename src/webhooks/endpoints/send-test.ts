import { and, eq, isNull, sql } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeEntries } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { webhookDeliveries as deliveries, events } from "../../core/events/tables.ts";
import { insertSelect, statement } from "../../db/build.ts";
import { now } from "../../db/columns.ts";
import { run, runLast } from "../../db/query.ts";
import { owned } from "../../db/records.ts";
import { findDelivery } from "../deliveries/read-deliveries.ts";
import type { WebhookDelivery } from "../deliveries/record.ts";
import { type EventName, webhookEvents } from "../events.ts";
import { testEvent } from "../test-event.ts";
import { findEndpoint } from "./read-endpoints.ts";
import { webhookEndpoints as endpoints } from "./tables.ts";

/**
 * Sends a sample event to one endpoint. It is signed, logged and retried like any delivery. The event is stored under
 * the test event's name, so that it is not in the feed and no other endpoint gets it. The delivery has the requested
 * name.
 */
export async function sendTest(
  context: Context<Staff, "db">,
  id: string,
  name: EventName | undefined,
): Promise<WebhookDelivery | Refusal> {
  const { services, organization } = context;
  const endpoint = await run(services.db, findEndpoint(organization.id, id));
  if (!endpoint || endpoint.deleted_at !== null) return noSuch("webhook endpoint", id);
  if (!endpoint.enabled) return refuse("test_would_be_held");
  const event_id = crypto.randomUUID();
  const delivery_id = crypto.randomUUID();
  const isReady = and(eq(endpoints.enabled, true), isNull(endpoints.deleted_at));
  const isStillReady = sql`FROM ${endpoints} WHERE ${and(owned(endpoints, organization.id, id), isReady)}`;
  const event = {
    id: event_id,
    organization_id: organization.id,
    event: testEvent,
    subject_id: id,
    payload: JSON.stringify(payloadOf(name, id)),
  };
  const delivery = {
    id: delivery_id,
    organization_id: organization.id,
    endpoint_id: id,
    event_id,
    event: name ?? testEvent,
    next_attempt_at: now,
  };
  const made = await runLast(services.db, [
    statement(insertSelect(events, event, isStillReady)),
    statement(insertSelect(deliveries, delivery, isStillReady)),
    ...changeEntries(context, "webhook_endpoint.tested", id, { event: delivery.event, delivery_id }),
    findDelivery(organization.id, delivery_id),
  ]);
  return made ?? refuse("test_not_sent");
}

function payloadOf(name: EventName | undefined, endpointId: string) {
  const created_at = new Date().toISOString();
  if (name !== undefined) return { ...webhookEvents[name].example, created_at };
  return { event: testEvent, created_at, data: { endpoint_id: endpointId, message: "Your endpoint works" } };
}
