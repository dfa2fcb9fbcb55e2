import * as z from "zod";
import { id } from "../contract/fields.ts";
import { TracedEvent } from "../webhooks/deliveries/record.ts";
import { ApiRequest } from "../workspace/request-log/record.ts";

const neighbor = id.nullable();

/**
 * A request with the events that it caused, and the ids of the previous and next requests with the same token (contract
 * U5).
 */
export const ShownRequest = ApiRequest.extend({
  events: z.array(TracedEvent),
  previous_request_id: neighbor.meta({
    description: "The token's previous request; null if it is not stored",
  }),
  next_request_id: neighbor.meta({ description: "The token's next request; null if this is its newest" }),
}).meta({ id: "ShownRequest" });
export type ShownRequest = z.output<typeof ShownRequest>;
