import * as z from "zod";
import { disputeStatuses, paymentWays } from "../closed-sets.ts";
import { currency, date, id, money } from "../fields.ts";
import {
  clientName,
  exampleParty,
  partyMaybeWithoutProject,
  projectName,
  webhookEvent,
} from "./webhook-event.ts";

/** The events of invoices; invoice.sql writes them. */

const amounts = {
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
  ...amounts,
  issue_date: date.nullable(),
  due_date: date.nullable(),
  ...partyMaybeWithoutProject,
};

const exampleInvoice = {
  invoice_id: "8a0a7a0c-2c3b-4f53-a3b5-6a3f8c2d4e12",
  number: "INV-0042",
  currency: "USD",
  total: 1250.5,
};

const exampleUnpaid = {
  ...exampleInvoice,
  issue_date: "2026-01-15",
  due_date: "2026-01-30",
  ...exampleParty,
};

export const invoiceEvents = {
  "invoice.sent": webhookEvent("invoice.sent", {
    category: "money",
    firesWhen: "an invoice moves from draft to open",
    data: invoice,
    example: {
      ...exampleUnpaid,
      status: "open",
      previous_status: "draft",
      amount_paid: 0,
      amount_due: 1250.5,
    },
  }),
  "invoice.paid": webhookEvent("invoice.paid", {
    category: "money",
    firesWhen: "an invoice is paid in full or in part, from any source",
    data: {
      ...amounts,
      amount_received: money.meta({ description: "What arrived; differs from total on a partial payment" }),
      client_name: clientName,
      project_name: projectName,
      collected_via: z.enum(paymentWays).meta({ description: "Online processor, or not" }),
    },
    example: {
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
  }),
  "invoice.overdue": webhookEvent("invoice.overdue", {
    category: "money",
    firesWhen: "an invoice passes its due date unsettled",
    data: invoice,
    example: {
      ...exampleUnpaid,
      status: "overdue",
      previous_status: "open",
      amount_paid: 0,
      amount_due: 1250.5,
    },
  }),
  "invoice.refunded": webhookEvent("invoice.refunded", {
    category: "money",
    firesWhen: "money of an invoice is paid back, in full or in part",
    data: {
      ...invoice,
      amount_refunded: money.meta({ description: "What went back this time; amount_paid has fallen by it" }),
    },
    example: {
      ...exampleUnpaid,
      status: "partially_paid",
      previous_status: "paid",
      amount_paid: 1000,
      amount_due: 250.5,
      amount_refunded: 250.5,
    },
  }),
  "invoice.disputed": webhookEvent("invoice.disputed", {
    category: "money",
    firesWhen:
      "a payer's bank takes the money of an invoice back, and when a dispute that was won returns it",
    data: {
      ...invoice,
      amount_disputed: money.meta({ description: "What was taken, or has come back" }),
      dispute_status: z.enum(disputeStatuses).meta({
        description: "opened: amount_paid has fallen by the amount; won: it has risen by it again",
      }),
    },
    example: {
      ...exampleUnpaid,
      status: "open",
      previous_status: "paid",
      amount_paid: 0,
      amount_due: 1250.5,
      amount_disputed: 1250.5,
      dispute_status: "opened",
    },
  }),
};
