import * as z from "zod";
import { deliveryProblemKinds } from "../../contract/closed-sets.ts";
import { id } from "../../contract/fields.ts";

/** The result of `record-mail-event`. */
export const MailEventRecord = z.object({
  id: z.string(),
  message_id: z.string().meta({ description: "The e-mail's Message-ID without angle brackets" }),
  kind: z.enum(deliveryProblemKinds),
  reason: z.string().nullable(),
  matched: z.boolean().meta({ description: "Whether an e-mail with this id is recorded" }),
  organization_id: id.nullable(),
  deliverable_id: id
    .nullable()
    .meta({ description: "null if the e-mail was an invitation or a notification" }),
});
export type MailEventRecord = z.output<typeof MailEventRecord>;
