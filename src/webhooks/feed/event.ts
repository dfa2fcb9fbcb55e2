import * as z from "zod";
import { eventCategories } from "../../contract/closed-sets.ts";
import { id, openText, timestamp } from "../../contract/fields.ts";
import { eventNames } from "../events.ts";

/** An event in the feed: the webhook body plus its own id and its record's id (contract F1). */
export const Event = z
  .object({
    id: id.meta({ description: "The event's id, which its deliveries have as `webhook-event-id`" }),
    event: openText(eventNames),
    category: openText(eventCategories),
    created_at: timestamp,
    subject_id: id.meta({ description: "The id of the record that the event is about" }),
    data: z.record(z.string(), z.unknown()).meta({ description: "The same data as in a webhook delivery" }),
  })
  .meta({ id: "Event" });
export type Event = z.output<typeof Event>;
