import { sql } from "drizzle-orm";
import * as z from "zod";
import { paymentMethods } from "../../contract/closed-sets.ts";
import { currency, id } from "../../contract/fields.ts";
import { eventsOf, field, on } from "../../core/events/event.ts";
import { columnsOf } from "../../db/trigger.ts";
import { amountOf, clientAndProject, joinCurrency, joinProject, notSample } from "../event-fields.ts";
import { deposits } from "./tables.ts";

const deposit = columnsOf(deposits);

export const depositEvents = eventsOf(
  { table: deposits, joins: sql`${joinCurrency(deposit)} ${joinProject(deposit)}`, where: notSample },
  {
    "deposit.cleared": {
      category: "money",
      firesWhen: "a deposit clears and the kickoff gate releases",
      // Some are inserted with the status `cleared`.
      firedBy: [
        on(deposits, ["status"], ({ NEW, OLD }) => ({ when: sql`${NEW.status} <> ${OLD.status}` })),
        on(deposits, "INSERT", ({ NEW }) => ({ when: sql`${NEW.status} = 'cleared'` })),
      ],
      data: {
        deposit_id: field(id, deposit.id, "1d2e3f4a-5b6c-4d7e-8f9a-0b1c2d3e4f15"),
        status: field(z.string(), deposit.status, "cleared"),
        previous_status: field(z.string(), sql`'pending'`, "pending"),
        currency: field(currency, deposit.currency, "USD"),
        amount: amountOf(deposit.amount_minor, 2500),
        collected_via: field(
          z
            .enum(paymentMethods)
            .meta({ description: "Whether the payment was made online (through a processor) or offline" }),
          sql`coalesce(${deposit.collected_via}, 'offline')`,
          "offline",
        ),
        ...clientAndProject,
      },
    },
  },
);
