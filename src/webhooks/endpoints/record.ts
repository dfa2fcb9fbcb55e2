import * as z from "zod";
import { disabledReasons } from "../../contract/closed-sets.ts";
import { id, timestamp } from "../../contract/fields.ts";
import { healthLimits, webhookLimits } from "../../contract/webhook-limits.ts";

export const WebhookEndpoint = z.object({
  id,
  url: z.string(),
  description: z.string().nullable(),
  events: z
    .array(z.string())
    .nullable()
    .meta({ description: "Event names and categories; null for all events, including future ones" }),
  headers: z.array(z.string()).meta({
    description: "The names of the headers sent with each delivery. The values are never returned",
  }),
  enabled: z.boolean(),
  disabled_reason: z.enum(disabledReasons).nullable(),
  previous_secret_expires_at: timestamp.nullable(),
  created_by: id,
  created_at: timestamp,
  updated_at: timestamp,
  deleted_at: timestamp.nullable(),
  url_changed_at: timestamp.nullable(),
});

export type WebhookEndpoint = z.output<typeof WebhookEndpoint>;

/** The only responses that contain the secret. */
export const WebhookEndpointWithSecret = WebhookEndpoint.extend({ secret: z.string() });

export type WebhookEndpointWithSecret = z.output<typeof WebhookEndpointWithSecret>;

const upTo = (most: number) => `Counted up to ${most}, which means that many or more`;

export const WebhookHealth = z.object({
  id,
  url: z.string(),
  enabled: z.boolean(),
  delivered_24h: z.int().meta({ description: upTo(healthLimits.ofDay) }),
  failed_24h: z.int().meta({
    description: `Deliveries whose last attempt failed in the last 24 hours. ${upTo(healthLimits.ofDay)}`,
  }),
  pending_backlog: z.int().meta({ description: `Includes held deliveries. ${upTo(healthLimits.waiting)}` }),
  dead_letters: z.int().meta({ description: upTo(healthLimits.waiting) }),
  consecutive_failures: z.int().meta({ description: "The number of failed attempts since the last success" }),
  consecutive_dead: z.int().meta({
    description:
      `Consecutive dead deliveries; the endpoint is disabled at ` +
      `${webhookLimits.deadDeliveriesToDisable}`,
  }),
  oldest_pending_age_seconds: z.int().nullable().meta({ description: "null if nothing is pending" }),
});

export type WebhookHealth = z.output<typeof WebhookHealth>;
