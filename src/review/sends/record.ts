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
          "If not null, the e-mail was sent but the status could not be updated. The send succeeded, so do " +
          "not send again",
      }),
    id: id.meta({ description: "The deliverable" }),
    version_number: z.int().meta({ description: "The version that was sent" }),
    sent_at: timestamp,
    // Responses stored by an earlier release lack this field.
    reminder_due_at: timestamp.nullable().default(null).meta({
      description:
        "When the client will be reminded unless they respond first; null if no reminder is pending",
    }),
  })
  .meta({ id: "SendResult" });
export type Send = z.output<typeof Send>;

export const DryRunSend = Send.extend({
  mail: z
    .object({
      to: z.string().meta({ description: "The client's e-mail address, masked" }),
      subject: z.string(),
      text: z.string().meta({ description: "The e-mail's text, with a placeholder for the personal link" }),
    })
    .optional()
    .meta({
      description:
        "The e-mail that the real request would send; absent for a replay, which does not send one",
    }),
}).meta({ id: "DryRunSend" });
export type DryRunSend = z.output<typeof DryRunSend>;

export const NewSend = z
  .strictObject({
    message: optionalText(limits.noteCharacters).meta({
      description: "A personal note, shown in the e-mail as plain text",
    }),
    remind_after_days: z.int().min(reminderDays.min).max(reminderDays.max).optional().meta({
      description: "Remind the client after this many days; 0 for never. Default: the workspace's setting",
      example: 7,
    }),
  })
  .meta({ id: "NewSend" });
export type NewSend = z.output<typeof NewSend>;
