import type { ZodOpenApiPathsObject } from "zod-openapi";
import { deliveryAttempts, joinWithAnd, retrySchedule } from "../../src/contract/retry-schedule.ts";
import type { WebhookEvent } from "../../src/core/events/event.ts";

interface DeliveryHeader {
  description: string;
  /** False if some deliveries lack the header. */
  required?: false;
  schema: { type: "string" | "integer"; format?: string; minimum?: number; enum?: string[] };
  example: string | number;
}

/** The request headers of a delivery (contract W8). */
const deliveryHeaders: Record<string, DeliveryHeader> = {
  "webhook-id": {
    description: "The delivery's id, which stays the same across retries and replays. Use it to deduplicate",
    schema: { type: "string", format: "uuid" },
    example: "6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b",
  },
  "webhook-event-id": {
    description: "The event's id in `GET /api-v1/events`, which is the same for every endpoint",
    schema: { type: "string", format: "uuid" },
    example: "8e1f2a3b-4c5d-4e6f-8a7b-8c9d0e1f2a3b",
  },
  "webhook-timestamp": {
    description:
      "When this attempt was made, in Unix seconds. Reject requests that are more than about five minutes old",
    schema: { type: "integer" },
    example: 1769851800,
  },
  "webhook-signature": {
    description:
      "`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>` (Standard Webhooks). " +
      "While the secret is being rotated, there are two values separated by a space, of which the first uses " +
      "the new secret. Accept the delivery if either value is valid",
    schema: { type: "string" },
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  },
  "X-Svc-Delivery-Id": {
    description: "Same as `webhook-id`",
    schema: { type: "string", format: "uuid" },
    example: "6f1d2c3b-4a59-4687-9a0b-1c2d3e4f5a6b",
  },
  "X-Svc-Event": {
    description: "The event's name",
    schema: { type: "string" },
    example: "invoice.paid",
  },
  "X-Svc-Attempt": {
    description: `The number of this attempt, from 1 to ${deliveryAttempts}`,
    schema: { type: "integer", minimum: 1 },
    example: 1,
  },
  "X-Svc-Signature": {
    description:
      "The legacy signature: `sha256=` and the hex HMAC-SHA256 of the raw body. While the secret is being " +
      "rotated, there are two values separated by a comma, of which the first uses the new secret",
    schema: { type: "string" },
    example: "sha256=9c1185a5c5e9fc54612808977ee8f548b2258d31b9a0d4e6c2f3b0a1d4e5f607",
  },
  "X-Svc-Test": {
    description:
      "Present only on test deliveries that an admin sent. Respond with 2xx, but do not process the body, which " +
      "is an example",
    required: false,
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
};

const component = (header: string) => header.replaceAll("-", "");

export const deliveryHeaderComponents = Object.fromEntries(
  Object.entries(deliveryHeaders).map(([name, header]) => [
    component(name),
    { name, in: "header" as const, required: true, ...header },
  ]),
);

const parameters = Object.keys(deliveryHeaders).map((name) => ({
  $ref: `#/components/parameters/${component(name)}`,
}));

/** What each response from a receiver means. */
const responses = {
  "2XX": { description: "The delivery succeeded" },
  "429": { description: "The delivery is retried, as after a 5XX" },
  "4XX": { description: "The delivery failed and is not retried, except after a 408 or 429" },
  "5XX": {
    description:
      `The delivery is retried after ${joinWithAnd(retrySchedule.delays)}, with full jitter. ` +
      "`Retry-After` is respected. A redirect is not followed, but retried in the same way",
  },
};

/** The document's `webhooks`, with one entry per event. */
export function webhooksOf(events: Readonly<Record<string, WebhookEvent>>): ZodOpenApiPathsObject {
  const entries = Object.entries(events).map(([name, { category, firesWhen, payload, example }]) => [
    name,
    {
      post: {
        operationId: name.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
        summary: `${firesWhen.charAt(0).toUpperCase()}${firesWhen.slice(1)}`,
        description: `Category \`${category}\`. Verify the signature against the raw body before you parse it.`,
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: payload, examples: { event: { summary: name, value: example } } },
          },
        },
        responses,
      },
    },
  ]);
  return Object.fromEntries(entries);
}
