import * as z from "zod";
import { id, optionalText, timestamp } from "../../contract/fields.ts";
import { limits } from "../../contract/limits.ts";

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

/** A dry run of a send shows the e-mail. It is absent from a replay, which sends none. */
export const DryRunSend = Send.extend({
  mail: z
    .object({
      to: z.string().meta({ description: "The client's address, masked" }),
      subject: z.string(),
      text: z.string().meta({ description: "With a placeholder where each e-mail has its personal link" }),
    })
    .optional()
    .meta({ description: "The e-mail that a send would send; absent from a replay, which sends none" }),
}).meta({ id: "DryRunSend" });
export type DryRunSend = z.output<typeof DryRunSend>;

export const NewSend = z
  .strictObject({
    message: optionalText(limits.noteCharacters).meta({
      description: "A personal note, shown in the e-mail as text",
    }),
  })
  .meta({ id: "NewSend" });
export type NewSend = z.output<typeof NewSend>;
