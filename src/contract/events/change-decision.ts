import * as z from "zod";
import { changeDecisionKinds } from "../closed-sets.ts";
import { id } from "../fields.ts";
import { exampleParty, party, webhookEvent } from "./webhook-event.ts";

/** The event of change decisions; change-decision.sql writes it. */

export const changeDecisionEvents = {
  "change_decision.sent": webhookEvent("change_decision.sent", {
    category: "change",
    firesWhen: "a change decision or milestone gate is sent",
    data: {
      change_decision_id: id,
      title: z.string(),
      kind: z.enum(changeDecisionKinds),
      status: z.string(),
      previous_status: z.string(),
      ...party,
    },
    example: {
      change_decision_id: "e7b1d2c3-4f5a-4b6c-9d8e-1f2a3b4c5d14",
      title: "Design approved: start building",
      kind: "milestone_gate",
      status: "sent",
      previous_status: "draft",
      ...exampleParty,
    },
  }),
};
