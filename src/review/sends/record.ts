import * as z from "zod";
import { id, optionalText, timestamp } from "../../contract/fields.ts";

export const Send = z
  .object({
    ok: z.literal(true),
    status_warning: z.string().nullable().meta({
      description:
        "Not null: the e-mail went out, but the status could not be advanced. Not a failure: do not send again",
    }),
    id: id.meta({ description: "The deliverable" }),
    version_number: z.int().meta({ description: "The version that was sent" }),
    sent_at: timestamp,
  })
  .meta({ id: "SendResult" });
export type Send = z.output<typeof Send>;

export const NewSend = z
  .strictObject({
    message: optionalText(2000).meta({ description: "A personal note, shown in the e-mail as text" }),
  })
  .meta({ id: "NewSend" });
export type NewSend = z.output<typeof NewSend>;
