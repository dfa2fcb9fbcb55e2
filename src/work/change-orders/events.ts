import { sql } from "drizzle-orm";
import * as z from "zod";
import { currency, id } from "../../contract/fields.ts";
import { eventsOf, field, on } from "../../core/events/event.ts";
import { columnsOf } from "../../db/trigger.ts";
import {
  amountOf,
  clientAndProject,
  joinCurrency,
  joinProject,
  notSample,
  safeText,
} from "../event-fields.ts";
import { changeOrders } from "./tables.ts";

const order = columnsOf(changeOrders);

/** Builds the event data for a change order whose status changed. */
const moved = (previous: string, status: string) => ({
  change_order_id: field(id, order.id, "c2a9f1de-77d0-4c0e-8a7e-5b1d9c3e6f13"),
  title: field(z.string(), safeText(order.title), "Second language"),
  status: field(z.string(), order.status, status),
  previous_status: field(z.string(), sql`${previous}`, previous),
  currency: field(currency, order.currency, "USD"),
  amount: amountOf(order.amount_minor, 900),
  ...clientAndProject,
});

const becomes = (status: string) =>
  on(changeOrders, ["status"], ({ NEW, OLD }) => ({
    when: sql`${NEW.status} = ${status} AND ${OLD.status} <> ${status}`,
  }));

export const changeOrderEvents = eventsOf(
  { table: changeOrders, joins: sql`${joinCurrency(order)} ${joinProject(order)}`, where: notSample },
  {
    "change_order.sent": {
      category: "scope",
      firesWhen: "a change order is sent for signing",
      // Some are inserted with the status `sent`.
      firedBy: [
        becomes("sent"),
        on(changeOrders, "INSERT", ({ NEW }) => ({ when: sql`${NEW.status} = 'sent'` })),
      ],
      data: moved("draft", "sent"),
    },
    "change_order.signed": {
      category: "scope",
      firesWhen: "a change order is signed",
      firedBy: becomes("signed"),
      data: moved("sent", "signed"),
    },
    "change_order.declined": {
      category: "scope",
      firesWhen: "a change order is declined",
      firedBy: becomes("declined"),
      data: moved("sent", "declined"),
    },
  },
);
