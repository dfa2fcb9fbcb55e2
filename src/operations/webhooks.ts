import * as z from "zod";
import { changesOf, hasChanges } from "../contract/changes.ts";
import { characterCount, idInput, line, listOf, timestampInput } from "../contract/fields.ts";
import { noSuch, refuse } from "../contract/refusal.ts";
import { replayLimits, webhookLimits } from "../contract/webhook-limits.ts";
import { run } from "../db/query.ts";
import { backfillEndpoint } from "../webhooks/deliveries/backfill-endpoint.ts";
import { findDelivery, searchDeliveries } from "../webhooks/deliveries/read-deliveries.ts";
import {
  BackfilledDeliveries,
  deliveryStatus,
  ReplayedDeliveries,
  WebhookDelivery,
  WebhookDeliveryInFull,
} from "../webhooks/deliveries/record.ts";
import { replayDeliveries } from "../webhooks/deliveries/replay-deliveries.ts";
import { replayDelivery } from "../webhooks/deliveries/replay-delivery.ts";
import { showDelivery } from "../webhooks/deliveries/show-delivery.ts";
import { createEndpoint, endpointOfEntry } from "../webhooks/endpoints/create-endpoint.ts";
import { EndpointHeadersInput } from "../webhooks/endpoints/headers.ts";
import { endpointHealth, findEndpoint, listEndpoints } from "../webhooks/endpoints/read-endpoints.ts";
import { WebhookEndpoint, WebhookEndpointWithSecret, WebhookHealth } from "../webhooks/endpoints/record.ts";
import { rotateSecret } from "../webhooks/endpoints/rotate-secret.ts";
import { sendTest } from "../webhooks/endpoints/send-test.ts";
import { switchEndpoint } from "../webhooks/endpoints/switch-endpoint.ts";
import { updateEndpoint } from "../webhooks/endpoints/update-endpoint.ts";
import { eventNames } from "../webhooks/events.ts";
import { testEvent } from "../webhooks/test-event.ts";
import { type AdminOperations, answerFromEntry, bySubject, workspaceOperation } from "./operation.ts";

const oneEndpoint = z.strictObject({ id: idInput });

const endpointFields = {
  url: z
    .string()
    .trim()
    .refine((url) => characterCount(url) <= webhookLimits.urlCharacters, {
      error: `url must have at most ${webhookLimits.urlCharacters} characters`,
    })
    .meta({ maxLength: webhookLimits.urlCharacters }),
  events: listOf(z.string()).optional(),
  description: line(0, 200).optional(),
  headers: EndpointHeadersInput.optional(),
};

/** In a change, an empty list subscribes to all events. */
const anyEvents = z.array(z.string()).optional();

export const webhookOperations: AdminOperations = {
  "create-webhook-endpoint": workspaceOperation({
    summary: "Register an endpoint, by default for all events; its secret is returned only once",
    action: "add webhooks",
    needsApiAccess: true,
    input: z.strictObject(endpointFields),
    answer: WebhookEndpointWithSecret,
    run: createEndpoint,
    again: endpointOfEntry,
    secret: "secret",
  }),

  "update-webhook-endpoint": workspaceOperation({
    summary:
      "Change an endpoint, but keep its secret and history; an empty string subscribes it to all events or removes " +
      "its description, and `{}` removes its headers",
    action: "change webhooks",
    needsApiAccess: true,
    input: z.strictObject({ id: idInput, ...changesOf({ ...endpointFields, events: anyEvents }) }),
    answer: WebhookEndpoint,
    async run(context, { id, ...changes }) {
      return hasChanges(changes) ? updateEndpoint(context, id, changes) : refuse("nothing_to_change");
    },
    again: bySubject(findEndpoint),
  }),

  "list-webhook-endpoints": workspaceOperation({
    summary: "List the workspace's endpoints",
    reads: true,
    action: "list webhooks",
    input: z.strictObject({}),
    answer: z.array(WebhookEndpoint),
    run: ({ services, organization }) => run(services.db, listEndpoints(organization.id)),
  }),

  "webhook-health": workspaceOperation({
    summary: "Show an endpoint's health statistics",
    reads: true,
    action: "see the health of webhooks",
    input: oneEndpoint,
    answer: WebhookHealth,
    run: async ({ services, organization }, { id }) =>
      (await run(services.db, endpointHealth(organization.id, id))) ?? noSuch("webhook endpoint", id),
  }),

  "rotate-webhook-secret": workspaceOperation({
    summary: "Create a new secret; deliveries are signed with both secrets until the previous one expires",
    action: "rotate webhook secrets",
    input: z.strictObject({
      id: idInput,
      overlap_hours: z
        .number()
        .min(0)
        .max(webhookLimits.secretOverlapMaxHours)
        .default(webhookLimits.secretOverlapHours),
    }),
    answer: WebhookEndpointWithSecret,
    run: (context, { id, overlap_hours }) => rotateSecret(context, id, overlap_hours),
    again: endpointOfEntry,
    secret: "secret",
  }),

  "enable-webhook-endpoint": workspaceOperation({
    summary: "Enable an endpoint and send its held deliveries",
    action: "enable webhooks",
    input: oneEndpoint,
    answer: WebhookEndpoint,
    run: (context, { id }) => switchEndpoint(context, id, "enabled"),
    again: bySubject(findEndpoint),
  }),

  "disable-webhook-endpoint": workspaceOperation({
    summary: "Disable an endpoint and hold its deliveries",
    action: "disable webhooks",
    input: oneEndpoint,
    answer: WebhookEndpoint,
    run: (context, { id }) => switchEndpoint(context, id, "disabled"),
    again: bySubject(findEndpoint),
  }),

  "delete-webhook-endpoint": workspaceOperation({
    summary: "Delete an endpoint and cancel its pending deliveries",
    action: "delete webhooks",
    input: oneEndpoint,
    answer: WebhookEndpoint,
    run: (context, { id }) => switchEndpoint(context, id, "deleted"),
    again: bySubject(findEndpoint),
  }),

  "list-webhook-deliveries": workspaceOperation({
    summary: "List deliveries, newest first; `cursor` is the last id of the previous page",
    reads: true,
    action: "list webhook deliveries",
    input: z.strictObject({
      endpoint: idInput.optional(),
      status: deliveryStatus.optional(),
      event: z.string().max(100).optional(),
      since: timestampInput.optional(),
      until: timestampInput.optional(),
      subject_id: idInput.optional(),
      http_status: z.int().min(100).max(599).optional(),
      cursor: idInput.optional(),
      limit: z.int().min(1).max(1000).default(50),
    }),
    answer: z.array(WebhookDelivery),
    run: ({ services, organization }, filter) => searchDeliveries(services.db, organization.id, filter),
  }),

  "show-webhook-delivery": workspaceOperation({
    summary: "Show a delivery with every attempt",
    reads: true,
    action: "see webhook deliveries",
    input: z.strictObject({ id: idInput }),
    answer: WebhookDeliveryInFull,
    run: async ({ services, organization }, { id }) =>
      (await showDelivery(services.db, organization.id, id)) ?? noSuch("webhook delivery", id),
  }),

  "replay-webhook-delivery": workspaceOperation({
    summary: "Send a delivery again with the same id and a new schedule of attempts, starting now",
    action: "replay webhook deliveries",
    input: z.strictObject({ id: idInput }),
    answer: WebhookDelivery,
    run: (context, { id }) => replayDelivery(context, id),
    again: bySubject(findDelivery),
  }),

  "replay-webhook-deliveries": workspaceOperation({
    summary:
      `Send many of an endpoint's deliveries again, about ${replayLimits.perSecond} a second; ` +
      "`dry_run` only counts them",
    action: "replay webhook deliveries",
    needsApiAccess: true,
    input: z.strictObject({
      endpoint: idInput,
      since: timestampInput.optional(),
      until: timestampInput.optional(),
      status: z.enum(["dead", "delivered", "all"]).default("dead"),
      dry_run: z.boolean().default(false),
      limit: z.int().min(1).max(replayLimits.callDeliveries).default(replayLimits.callDeliveries),
    }),
    answer: ReplayedDeliveries,
    run: replayDeliveries,
    again: answerFromEntry,
  }),

  "backfill-webhook-endpoint": workspaceOperation({
    summary:
      `Deliver stored events that an endpoint missed, about ${replayLimits.perSecond} a second; ` +
      "`dry_run` only counts them",
    action: "replay webhook deliveries",
    needsApiAccess: true,
    input: z.strictObject({
      id: idInput,
      since: timestampInput,
      until: timestampInput.optional(),
      dry_run: z.boolean().default(false),
      limit: z.int().min(1).max(replayLimits.callDeliveries).default(replayLimits.callDeliveries),
    }),
    answer: BackfilledDeliveries,
    run: backfillEndpoint,
    again: answerFromEntry,
  }),

  "send-test-webhook": workspaceOperation({
    summary: `Send a sample event to an endpoint, by default \`${testEvent}\``,
    action: "test webhooks",
    needsApiAccess: true,
    input: z.strictObject({ id: idInput, event: z.enum(eventNames).optional() }),
    answer: WebhookDelivery,
    run: (context, { id, event }) => sendTest(context, id, event),
    again: ({ services, organization }, { details }) =>
      run(services.db, findDelivery(organization.id, String(details.delivery_id))),
  }),
};
