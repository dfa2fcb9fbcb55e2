import * as z from "zod";
import { deliveryStatuses } from "../../contract/closed-sets.ts";
import { id, timestamp } from "../../contract/fields.ts";

export const deliveryStatus = z.enum(deliveryStatuses);

export const WebhookDelivery = z.object({
  id: id.meta({ description: "The webhook-id that receivers see" }),
  endpoint_id: id,
  event_id: id,
  event: z.string().meta({ description: "The event's name, which may be newer than this document" }),
  status: deliveryStatus,
  held: z
    .boolean()
    .meta({ description: "Pending until the endpoint is enabled or the plan includes api_access" }),
  attempts: z.int(),
  next_attempt_at: timestamp.nullable(),
  settled_at: timestamp.nullable(),
  created_at: timestamp,
});

export type WebhookDelivery = z.output<typeof WebhookDelivery>;

export const WebhookAttempt = z.object({
  attempt_number: z.int(),
  attempted_at: timestamp,
  response_status: z.int().nullable().meta({ description: "null if there was no response" }),
  latency_ms: z.int(),
  error_class: z.string().nullable().meta({ description: "null if the response was 2xx" }),
  response_body: z.string().nullable().meta({ description: "The first 2 KiB of the response" }),
  next_attempt_at: timestamp.nullable().meta({ description: "null if no retry was scheduled" }),
});

export const WebhookDeliveryInFull = WebhookDelivery.extend({
  attempt_log: z
    .array(WebhookAttempt)
    .meta({ description: "Oldest first. After a replay, attempts are numbered from 1 again" }),
  payload: z.unknown().meta({ description: "The body that every attempt sends" }),
});

export type WebhookDeliveryInFull = z.output<typeof WebhookDeliveryInFull>;

/** An event that a request recorded, with the outcome of its deliveries. */
export const TracedEvent = z.object({
  id,
  event: z.string(),
  deliveries: z.array(
    z.object({ id, endpoint_id: id, status: deliveryStatus, attempts: z.array(WebhookAttempt) }),
  ),
});

export type TracedEvent = z.output<typeof TracedEvent>;

export const BackfilledDeliveries = z.object({
  matched: z.int().meta({ description: "The number of stored events that the endpoint missed" }),
  created: z
    .int()
    .meta({ description: "How many of these events are being delivered now. If fewer, call again" }),
});

export type BackfilledDeliveries = z.output<typeof BackfilledDeliveries>;

export const ReplayedDeliveries = z.object({
  matched: z.int().meta({ description: "The number of deliveries that match the filter" }),
  replayed: z.int().meta({
    description: "How many of these deliveries are being sent again now. If fewer, call again to continue",
  }),
});

export type ReplayedDeliveries = z.output<typeof ReplayedDeliveries>;
