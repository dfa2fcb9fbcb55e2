import type { WebhookEvent } from "../core/events/event.ts";
import { deliverableEvents } from "../review/deliverables/events.ts";
import { changeDecisionEvents } from "../work/change-decisions/events.ts";
import { changeOrderEvents } from "../work/change-orders/events.ts";
import { depositEvents } from "../work/deposits/events.ts";
import { invoiceEvents } from "../work/invoices/events.ts";

/** Every event (contract W2). Each is declared once, in the `events.ts` of its record's folder. */
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
