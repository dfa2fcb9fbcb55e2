import { changeDecisionEvents } from "./events/change-decision.ts";
import { changeOrderEvents } from "./events/change-order.ts";
import { deliverableEvents } from "./events/deliverable.ts";
import { depositEvents } from "./events/deposit.ts";
import { invoiceEvents } from "./events/invoice.ts";
import type { WebhookEvent } from "./events/webhook-event.ts";

/**
 * Every event of specification 6. Its schema and example stand in events/<subject>.ts, the trigger that writes it in
 * events/<subject>.sql. No event holds an e-mail address, a client's free text or an identifier of a payment processor.
 */
const declared = {
  ...deliverableEvents,
  ...changeOrderEvents,
  ...changeDecisionEvents,
  ...invoiceEvents,
  ...depositEvents,
};

export type EventName = keyof typeof declared;

export const webhookEvents: Readonly<Record<EventName, WebhookEvent>> = declared;

export const eventNames = Object.keys(declared) as readonly EventName[];
