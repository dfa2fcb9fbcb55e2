import * as z from "zod";
import { deliveryProblemKinds } from "./closed-sets.ts";
import { openEnum, timestamp } from "./fields.ts";
import { limits } from "./limits.ts";

/** Why an e-mail that the mail service had accepted was not delivered. */
export const DeliveryProblem = z
  .object({
    at: timestamp,
    kind: openEnum(deliveryProblemKinds).meta({
      description: "`complained` means that the e-mail was delivered, but the recipient marked it as spam",
    }),
    reason: z
      .string()
      .nullable()
      .meta({
        description:
          "The reason that the mail service or the recipient's server gave, without e-mail addresses and cut to " +
          `${limits.problemReasonCharacters} characters`,
      }),
  })
  .meta({ id: "DeliveryProblem" });
export type DeliveryProblem = z.output<typeof DeliveryProblem>;
