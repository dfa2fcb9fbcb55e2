import * as z from "zod";
import { deliveryProblemKinds } from "../contract/closed-sets.ts";
import { optionalText } from "../contract/fields.ts";
import { limits } from "../contract/limits.ts";
import { messageIdOf } from "../review/returned-mails/mail-report.ts";
import { MailEventRecord } from "../review/returned-mails/record.ts";
import { recordMailEvent } from "../review/returned-mails/record-mail-event.ts";
import { type AdminOperations, platformOperation } from "./operation.ts";

export const mailOperations: AdminOperations = {
  "record-mail-event": platformOperation({
    summary: "Record that an e-mail bounced, as reported by another mail provider",
    input: z.strictObject({
      message_id: z.string().refine((text) => messageIdOf(text) !== null, {
        error: `message_id must have 1 to ${limits.messageIdCharacters} characters`,
      }),
      kind: z.enum(deliveryProblemKinds),
      reason: optionalText(limits.noteCharacters),
    }),
    answer: MailEventRecord,
    run: ({ services }, event) => recordMailEvent(services, event),
    isSafeToRetry: true,
  }),
};
