import * as z from "zod";
import { deliveryProblemKinds } from "../../contract/closed-sets.ts";
import { id } from "../../contract/fields.ts";

/** The result of `record-mail-event`. */
export const MailEventRecord = z.object({
  id: z.string(),
  message_id: z.string().meta({ description: "Without angle brackets" }),
  kind: z.enum(deliveryProblemKinds),
  reason: z.string().nullable(),
  matched: z.boolean().meta({ description: "False: no e-mail has this id; its record may come later" }),
  organization_id: id.nullable(),
  deliverable_id: id.nullable().meta({ description: "Null: the e-mail was an invitation or a notice" }),
});
export type MailEventRecord = z.output<typeof MailEventRecord>;
