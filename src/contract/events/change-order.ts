import * as z from "zod";
import { currency, id, money } from "../fields.ts";
import { exampleParty, party, webhookEvent } from "./webhook-event.ts";

/** The events of change orders; change-order.sql writes them. */

const changeOrder = {
  change_order_id: id,
  title: z.string(),
  status: z.string(),
  previous_status: z.string(),
  currency,
  amount: money,
  ...party,
};

const exampleChangeOrder = {
  change_order_id: "c2a9f1de-77d0-4c0e-8a7e-5b1d9c3e6f13",
  title: "Second language",
  currency: "USD",
  amount: 900,
  ...exampleParty,
};

export const changeOrderEvents = {
  "change_order.sent": webhookEvent("change_order.sent", {
    category: "scope",
    firesWhen: "a change order is sent for signing",
    data: changeOrder,
    example: { ...exampleChangeOrder, status: "sent", previous_status: "draft" },
  }),
  "change_order.signed": webhookEvent("change_order.signed", {
    category: "scope",
    firesWhen: "a change order is signed",
    data: changeOrder,
    example: { ...exampleChangeOrder, status: "signed", previous_status: "sent" },
  }),
  "change_order.declined": webhookEvent("change_order.declined", {
    category: "scope",
    firesWhen: "a change order is declined",
    data: changeOrder,
    example: { ...exampleChangeOrder, status: "declined", previous_status: "sent" },
  }),
};
