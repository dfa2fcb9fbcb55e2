import * as z from "zod";
import { deliveryProblemKinds } from "./closed-sets.ts";
import { openEnum, timestamp } from "./fields.ts";
import { limits } from "./limits.ts";

/** Why an e-mail that the mail service had accepted was not delivered. */
export const DeliveryProblem = z
  .object({
    at: timestamp,
    kind: openEnum(deliveryProblemKinds).meta({
      description: "`complained`: the e-mail was delivered, and its recipient marked it as spam",
    }),
    reason: z
      .string()
      .nullable()
      .meta({
        description:
          `The reason given by the mail service or the recipient's server, at most ` +
          `${limits.problemReasonCharacters} characters; it never contains an e-mail address`,
      }),
  })
  .meta({ id: "DeliveryProblem" });
export type DeliveryProblem = z.output<typeof DeliveryProblem>;
