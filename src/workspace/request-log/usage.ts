import * as z from "zod";
import { id } from "../../contract/fields.ts";

/** An amount in use and its limit; null for unlimited. */
const room = (limit: z.ZodType<number | null> = z.number().nullable()) =>
  z.object({ used: z.number(), limit });

/** A workspace's usage by day (UTC), and how much of its plan is used (contract U6). */
export const Usage = z.object({
  days: z
    .array(
      z.object({
        day: z.string(),
        requests: z.int(),
        refusals: z.int().meta({ description: "Requests with a status of 400 or more" }),
        deliveries: z.int().meta({ description: "Successful webhook deliveries" }),
        mails: z.int().meta({ description: "Review e-mails, codes and invitations" }),
      }),
    )
    .meta({ description: "One entry for each requested day, newest first" }),
  tokens: z
    .array(z.object({ id, name: z.string(), requests: z.int(), refusals: z.int() }))
    .meta({ description: "The tokens that made requests on these days, starting with the busiest" }),
  room: z.object({
    plan: z.string(),
    requests_per_minute: z.int().meta({ description: "The rate limit that all tokens share" }),
    deliverables: room(),
    records: room(),
    image_megabytes: room(),
    mails_today: room(z.number()),
  }),
});
export type Usage = z.output<typeof Usage>;
