import * as z from "zod";
import { deliveryStatuses } from "../../contract/closed-sets.ts";
import { id, timestamp } from "../../contract/fields.ts";

export const deliveryStatus = z.enum(deliveryStatuses);

export const WebhookDelivery = z.object({
  id: id.meta({ description: "The webhook-id that receivers see" }),
  endpoint_id: id,
  event_id: id,
  event: z.string().meta({ description: "A name this version may not know yet" }),
  status: deliveryStatus,
  held: z.boolean().meta({ description: "Pending until the endpoint is enabled or the plan has api_access" }),
  attempts: z.int(),
  next_attempt_at: timestamp.nullable(),
  settled_at: timestamp.nullable(),
  created_at: timestamp,
});

export type WebhookDelivery = z.output<typeof WebhookDelivery>;

export const WebhookAttempt = z.object({
  attempt_number: z.int(),
  attempted_at: timestamp,
  response_status: z.int().nullable().meta({ description: "null: no answer came" }),
  latency_ms: z.int(),
  error_class: z.string().nullable().meta({ description: "null: answered 2xx" }),
  response_body: z.string().nullable().meta({ description: "The first 2 KiB" }),
  next_attempt_at: timestamp.nullable().meta({ description: "null: no retry followed" }),
});

export const WebhookDeliveryInFull = WebhookDelivery.extend({
  attempt_log: z.array(WebhookAttempt).meta({ description: "Oldest first; a replay counts from 1 again" }),
  payload: z.unknown().meta({ description: "The body of every attempt" }),
});

export type WebhookDeliveryInFull = z.output<typeof WebhookDeliveryInFull>;

/** An event that a request made, with the outcome of its deliveries. */
export const TracedEvent = z.object({
  id,
  event: z.string(),
  deliveries: z.array(
    z.object({ id, endpoint_id: id, status: deliveryStatus, attempts: z.array(WebhookAttempt) }),
  ),
});

export type TracedEvent = z.output<typeof TracedEvent>;

export const BackfilledDeliveries = z.object({
  matched: z
    .int()
    .meta({ description: "Kept events that the endpoint subscribes to and has no delivery of" }),
  created: z.int().meta({ description: "Of those, the ones that are delivered now; fewer: call again" }),
});

export type BackfilledDeliveries = z.output<typeof BackfilledDeliveries>;

export const ReplayedDeliveries = z.object({
  matched: z.int().meta({ description: "Deliveries that the filter found" }),
  replayed: z.int().meta({ description: "Of those, the ones that go out again; fewer: call again to go on" }),
});

export type ReplayedDeliveries = z.output<typeof ReplayedDeliveries>;
