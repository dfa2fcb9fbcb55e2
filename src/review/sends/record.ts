import * as z from "zod";
import { id, optionalText, timestamp } from "../../contract/fields.ts";
import { limits } from "../../contract/limits.ts";
import { reviewLimits } from "../../contract/review-limits.ts";

const { reminderDays } = reviewLimits;

export const Send = z
  .object({
    ok: z.literal(true),
    status_warning: z
      .string()
      .nullable()
      .meta({
        description:
          "If not null, the e-mail went out but the status could not be advanced. The send succeeded: do not " +
          "send again",
      }),
    id: id.meta({ description: "The deliverable" }),
    version_number: z.int().meta({ description: "The version that was sent" }),
    sent_at: timestamp,
    // Responses that an earlier release kept lack it.
    reminder_due_at: timestamp.nullable().default(null).meta({
      description: "When the client is reminded, unless they answer first; null if they are not",
    }),
  })
  .meta({ id: "SendResult" });
export type Send = z.output<typeof Send>;

/** A dry run of a send shows the e-mail. It is absent from a replay, which sends none. */
export const DryRunSend = Send.extend({
  mail: z
    .object({
      to: z.string().meta({ description: "The client's address, masked" }),
      subject: z.string(),
      text: z.string().meta({ description: "With a placeholder in place of the personal link" }),
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
    remind_after_days: z.int().min(reminderDays.min).max(reminderDays.max).optional().meta({
      description: "Days until the client is reminded; 0 for never. Default: the workspace's setting",
      example: 7,
    }),
  })
  .meta({ id: "NewSend" });
export type NewSend = z.output<typeof NewSend>;
