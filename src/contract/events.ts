import * as z from "zod";
import {
  changeDecisionKinds,
  type eventCategories,
  feedbackKinds,
  paymentWays,
  reviewStates,
} from "./closed-sets.ts";
import { currency, date, id, money, timestamp } from "./fields.ts";

/**
 * The event catalogue of specification 6. The triggers of migrations/0008_events.sql write these payloads; a test holds
 * them against the schemas. Receivers must ignore fields that they do not know.
 */
export type EventCategory = (typeof eventCategories)[number];

export const eventNames = [
  "feedback.created",
  "signoff.recorded",
  "deliverable.sent",
  "change_order.sent",
  "change_order.signed",
  "change_order.declined",
  "change_decision.sent",
  "invoice.sent",
  "invoice.paid",
  "invoice.overdue",
  "deposit.cleared",
] as const;
export type EventName = (typeof eventNames)[number];

export interface WebhookEvent {
  category: EventCategory;
  /** Completes "Fires when …". */
  firesWhen: string;
  /** The body of a delivery. */
  payload: z.ZodObject;
  example: { event: EventName; created_at: string; data: Record<string, unknown> };
}

const clientName = z.string().meta({ description: "The client's name", example: "Acme" });
const projectName = z.string().meta({ description: "Empty where there is no project", example: "Relaunch" });

const party = { client_id: id, client_name: clientName, project_id: id, project_name: projectName };
const partyMaybeWithoutProject = { ...party, project_id: id.nullable() };

const deliverable = {
  deliverable_id: id,
  title: z.string(),
  version_number: z.int(),
  review_state: z.enum(reviewStates),
  ...partyMaybeWithoutProject,
};

const invoiceAmounts = {
  invoice_id: id,
  number: z.string(),
  status: z.string().meta({ description: "Extensible: new values may appear" }),
  previous_status: z.string(),
  currency,
  total: money,
  amount_paid: money,
  amount_due: money,
};

const invoice = {
  ...invoiceAmounts,
  issue_date: date.nullable(),
  due_date: date.nullable(),
  ...partyMaybeWithoutProject,
};

const changeOrder = {
  change_order_id: id,
  title: z.string(),
  status: z.string(),
  previous_status: z.string(),
  currency,
  amount: money,
  ...party,
};

const collectedVia = z.enum(paymentWays).meta({ description: "Online processor, or not" });

const ids = {
  deliverable: "4f5c0a3e-5a30-4d3c-9f57-0f1c2b7f8a11",
  invoice: "8a0a7a0c-2c3b-4f53-a3b5-6a3f8c2d4e12",
  changeOrder: "c2a9f1de-77d0-4c0e-8a7e-5b1d9c3e6f13",
  changeDecision: "e7b1d2c3-4f5a-4b6c-9d8e-1f2a3b4c5d14",
  deposit: "1d2e3f4a-5b6c-4d7e-8f9a-0b1c2d3e4f15",
  feedback: "5e6f7a8b-9c0d-4e1f-8a2b-3c4d5e6f7a16",
};

const exampleParty = {
  client_id: "0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10",
  client_name: "Acme",
  project_id: "2c7d6a1b-3e4f-4a5b-8c6d-7e8f9a0b1c17",
  project_name: "Relaunch",
};

const exampleDeliverable = {
  deliverable_id: ids.deliverable,
  title: "Homepage",
  version_number: 2,
  ...exampleParty,
};

const exampleInvoice = { invoice_id: ids.invoice, number: "INV-0042", currency: "USD", total: 1250.5 };
const exampleDays = { issue_date: "2026-01-15", due_date: "2026-01-30" };

const exampleChangeOrder = {
  change_order_id: ids.changeOrder,
  title: "Second language",
  currency: "USD",
  amount: 900,
  ...exampleParty,
};

function webhookEvent(
  name: EventName,
  category: EventCategory,
  firesWhen: string,
  data: z.core.$ZodShape,
  example: Record<string, unknown>,
): WebhookEvent {
  return {
    category,
    firesWhen,
    payload: z.object({
      event: z.literal(name),
      created_at: timestamp.meta({ description: "When it happened; use it to drop stale events" }),
      data: z.object(data),
    }),
    example: { event: name, created_at: "2026-01-31T09:30:00.000Z", data: example },
  };
}

export const webhookEvents: Readonly<Record<EventName, WebhookEvent>> = {
  "feedback.created": webhookEvent(
    "feedback.created",
    "delivery",
    "a client submits feedback on a deliverable",
    {
      ...deliverable,
      feedback_id: id,
      kind: z.enum(feedbackKinds),
      author_name: z.string(),
    },
    {
      ...exampleDeliverable,
      review_state: "changes_requested",
      feedback_id: ids.feedback,
      kind: "change_request",
      author_name: "Ada",
    },
  ),
  "signoff.recorded": webhookEvent(
    "signoff.recorded",
    "delivery",
    "a deliverable sign-off completes",
    { ...deliverable, signer_name: z.string().nullable() },
    { ...exampleDeliverable, review_state: "approved", signer_name: "Ada" },
  ),
  "deliverable.sent": webhookEvent(
    "deliverable.sent",
    "delivery",
    "a deliverable is sent for review",
    { ...deliverable, sent_at: timestamp },
    { ...exampleDeliverable, review_state: "in_review", sent_at: "2026-01-31T09:30:00.000Z" },
  ),
  "change_order.sent": webhookEvent(
    "change_order.sent",
    "scope",
    "a change order is sent for signing",
    changeOrder,
    { ...exampleChangeOrder, status: "sent", previous_status: "draft" },
  ),
  "change_order.signed": webhookEvent(
    "change_order.signed",
    "scope",
    "a change order is signed",
    changeOrder,
    { ...exampleChangeOrder, status: "signed", previous_status: "sent" },
  ),
  "change_order.declined": webhookEvent(
    "change_order.declined",
    "scope",
    "a change order is declined",
    changeOrder,
    { ...exampleChangeOrder, status: "declined", previous_status: "sent" },
  ),
  "change_decision.sent": webhookEvent(
    "change_decision.sent",
    "change",
    "a change decision or milestone gate is sent",
    {
      change_decision_id: id,
      title: z.string(),
      kind: z.enum(changeDecisionKinds),
      status: z.string(),
      previous_status: z.string(),
      ...party,
    },
    {
      change_decision_id: ids.changeDecision,
      title: "Design approved: start building",
      kind: "milestone_gate",
      status: "sent",
      previous_status: "draft",
      ...exampleParty,
    },
  ),
  "invoice.sent": webhookEvent("invoice.sent", "money", "an invoice moves from draft to open", invoice, {
    ...exampleInvoice,
    ...exampleDays,
    ...exampleParty,
    status: "open",
    previous_status: "draft",
    amount_paid: 0,
    amount_due: 1250.5,
  }),
  "invoice.paid": webhookEvent(
    "invoice.paid",
    "money",
    "an invoice is paid in full or in part, from any source",
    {
      ...invoiceAmounts,
      amount_received: money.meta({ description: "What arrived; differs from total on a partial payment" }),
      client_name: clientName,
      project_name: projectName,
      collected_via: collectedVia,
    },
    {
      ...exampleInvoice,
      status: "partially_paid",
      previous_status: "open",
      amount_paid: 500,
      amount_due: 750.5,
      amount_received: 500,
      client_name: "Acme",
      project_name: "Relaunch",
      collected_via: "stripe",
    },
  ),
  "invoice.overdue": webhookEvent(
    "invoice.overdue",
    "money",
    "an invoice passes its due date unsettled",
    invoice,
    {
      ...exampleInvoice,
      ...exampleDays,
      ...exampleParty,
      status: "overdue",
      previous_status: "open",
      amount_paid: 0,
      amount_due: 1250.5,
    },
  ),
  "deposit.cleared": webhookEvent(
    "deposit.cleared",
    "money",
    "a deposit clears and the kickoff gate releases",
    {
      deposit_id: id,
      status: z.string(),
      previous_status: z.string(),
      currency,
      amount: money,
      collected_via: collectedVia,
      ...party,
    },
    {
      deposit_id: ids.deposit,
      status: "cleared",
      previous_status: "pending",
      currency: "USD",
      amount: 2500,
      collected_via: "offline",
      ...exampleParty,
    },
  ),
};
