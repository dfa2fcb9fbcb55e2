import { sql } from "drizzle-orm";
import * as z from "zod";
import { changeDecisionKinds } from "../../contract/closed-sets.ts";
import { id } from "../../contract/fields.ts";
import { eventsOf, field, on } from "../../core/events/event.ts";
import { columnsOf } from "../../db/trigger.ts";
import { clientAndProject, joinProject, notSample, safeText } from "../event-fields.ts";
import { changeDecisions } from "./tables.ts";

const decision = columnsOf(changeDecisions);

export const changeDecisionEvents = eventsOf(
  { table: changeDecisions, joins: joinProject(decision), where: notSample },
  {
    "change_decision.sent": {
      category: "change",
      firesWhen: "a change decision or milestone gate is sent",
      // Some are inserted with the status `sent`.
      firedBy: [
        on(changeDecisions, ["status"], ({ NEW, OLD }) => ({ when: sql`${NEW.status} <> ${OLD.status}` })),
        on(changeDecisions, "INSERT", ({ NEW }) => ({ when: sql`${NEW.status} = 'sent'` })),
      ],
      data: {
        change_decision_id: field(id, decision.id, "e7b1d2c3-4f5a-4b6c-9d8e-1f2a3b4c5d14"),
        title: field(z.string(), safeText(decision.title), "Design approved: start building"),
        kind: field(z.enum(changeDecisionKinds), decision.kind, "milestone_gate"),
        status: field(z.string(), decision.status, "sent"),
        previous_status: field(z.string(), sql`'draft'`, "draft"),
        ...clientAndProject,
      },
    },
  },
);
