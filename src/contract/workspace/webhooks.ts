import * as z from "zod";
import { deliveryStatuses, disabledReasons } from "../closed-sets.ts";
import { id, timestamp } from "../fields.ts";
import { webhookLimits } from "../webhook-limits.ts";

/** Webhooks as admins see them (specification 6). */

export const WebhookEndpoint = z.object({
  id,
  url: z.string(),
  description: z.string().nullable(),
  events: z
    .array(z.string())
    .nullable()
    .meta({ description: "Names and categories; null: all, future ones too" }),
  enabled: z.boolean(),
  disabled_reason: z.enum(disabledReasons).nullable(),
  previous_secret_expires_at: timestamp.nullable(),
  created_by: id,
  created_at: timestamp,
  updated_at: timestamp,
  deleted_at: timestamp.nullable(),
});
export type WebhookEndpoint = z.output<typeof WebhookEndpoint>;

/** The only answers that hold the secret. */
export const WebhookEndpointWithSecret = WebhookEndpoint.extend({ secret: z.string() });
export type WebhookEndpointWithSecret = z.output<typeof WebhookEndpointWithSecret>;

export const WebhookHealth = z.object({
  id,
  url: z.string(),
  enabled: z.boolean(),
  delivered_24h: z.int(),
  failed_24h: z.int().meta({ description: "Deliveries whose last attempt failed in the last 24 hours" }),
  pending_backlog: z.int().meta({ description: "Held ones included" }),
  dead_letters: z.int(),
  consecutive_failures: z.int().meta({ description: "Failed attempts since the last success" }),
  consecutive_dead: z.int().meta({
    description: `Dead deliveries in a row; the circuit breaker opens at ${webhookLimits.deadDeliveriesToDisable}`,
  }),
  oldest_pending_age_seconds: z.int().nullable().meta({ description: "null: nothing is pending" }),
});
export type WebhookHealth = z.output<typeof WebhookHealth>;

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

const WebhookAttempt = z.object({
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
