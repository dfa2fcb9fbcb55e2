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
          "If this is not null, the e-mail was sent, but the deliverable's status could not be updated. Do not " +
          "send the e-mail again",
      }),
    id: id.meta({ description: "The deliverable's id" }),
    version_number: z.int().meta({ description: "The number of the version that was sent" }),
    sent_at: timestamp,
    // Responses stored by an earlier release lack this field.
    reminder_due_at: timestamp.nullable().default(null).meta({
      description:
        "When the client will be reminded if they have not responded; null if no reminder is pending",
    }),
  })
  .meta({ id: "SendResult" });
export type Send = z.output<typeof Send>;

export const DryRunSend = Send.extend({
  mail: z
    .object({
      to: z.string().meta({ description: "The client's e-mail address, masked" }),
      subject: z.string(),
      text: z
        .string()
        .meta({ description: "The e-mail's text, with a placeholder instead of the personal link" }),
    })
    .optional()
    .meta({
      description:
        "The e-mail that the real request would send; absent if it would be a replay, which sends no e-mail",
    }),
}).meta({ id: "DryRunSend" });
export type DryRunSend = z.output<typeof DryRunSend>;

export const NewSend = z
  .strictObject({
    message: optionalText(limits.noteCharacters).meta({
      description: "A personal note, which the e-mail shows as plain text",
    }),
    remind_after_days: z.int().min(reminderDays.min).max(reminderDays.max).optional().meta({
      description: "Days until the client is reminded; 0 for never. Default: the workspace's setting",
      example: 7,
    }),
  })
  .meta({ id: "NewSend" });
export type NewSend = z.output<typeof NewSend>;
