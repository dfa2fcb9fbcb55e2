import * as z from "zod";
import type { eventCategories } from "../closed-sets.ts";
import { id, timestamp } from "../fields.ts";

/** What the events of all subjects have in common. */

export type EventCategory = (typeof eventCategories)[number];

export interface WebhookEvent {
  category: EventCategory;
  /** Completes "Fires when …". */
  firesWhen: string;
  /** The body of a delivery. */
  payload: z.ZodObject;
  example: { event: string; created_at: string; data: Record<string, unknown> };
}

interface Declared {
  category: EventCategory;
  firesWhen: string;
  data: z.core.$ZodShape;
  example: Record<string, unknown>;
}

/** Declares an event by the `data` of its body. */
export const webhookEvent = (
  name: string,
  { category, firesWhen, data, example }: Declared,
): WebhookEvent => ({
  category,
  firesWhen,
  payload: z.object({
    event: z.literal(name),
    created_at: timestamp.meta({
      description: [
        "When it happened. Deliveries come in any order: of an event that is older than one that you " +
          "processed about the",
        "same record, handle what happened (an amount received, a feedback), and keep the newer one's `status`,",
        "`review_state`, `amount_paid` and `amount_due`.",
      ].join(" "),
    }),
    data: z.object(data),
  }),
  example: { event: name, created_at: "2026-01-31T09:30:00.000Z", data: example },
});

export const clientName = z.string().meta({ description: "The client's name", example: "Acme" });

export const projectName = z
  .string()
  .meta({ description: "Empty where there is no project", example: "Relaunch" });

export const party = { client_id: id, client_name: clientName, project_id: id, project_name: projectName };
export const partyMaybeWithoutProject = { ...party, project_id: id.nullable() };

export const exampleParty = {
  client_id: "0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10",
  client_name: "Acme",
  project_id: "2c7d6a1b-3e4f-4a5b-8c6d-7e8f9a0b1c17",
  project_name: "Relaunch",
};
