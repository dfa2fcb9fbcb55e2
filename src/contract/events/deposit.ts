import * as z from "zod";
import { paymentWays } from "../closed-sets.ts";
import { currency, id, money } from "../fields.ts";
import { exampleParty, party, webhookEvent } from "./webhook-event.ts";

/** The event of deposits; deposit.sql writes it. */

export const depositEvents = {
  "deposit.cleared": webhookEvent("deposit.cleared", {
    category: "money",
    firesWhen: "a deposit clears and the kickoff gate releases",
    data: {
      deposit_id: id,
      status: z.string(),
      previous_status: z.string(),
      currency,
      amount: money,
      collected_via: z.enum(paymentWays).meta({ description: "Online processor, or not" }),
      ...party,
    },
    example: {
      deposit_id: "1d2e3f4a-5b6c-4d7e-8f9a-0b1c2d3e4f15",
      status: "cleared",
      previous_status: "pending",
      currency: "USD",
      amount: 2500,
      collected_via: "offline",
      ...exampleParty,
    },
  }),
};
