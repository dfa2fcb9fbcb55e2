import { changeDecisionEvents } from "./events/change-decision.ts";
import { changeOrderEvents } from "./events/change-order.ts";
import { deliverableEvents } from "./events/deliverable.ts";
import { depositEvents } from "./events/deposit.ts";
import type { WebhookEvent } from "./events/event.ts";
import { invoiceEvents } from "./events/invoice.ts";

/** Every event of specification 6. Each is declared once, in events/. */
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
