import * as z from "zod";
import { idInput, line, text } from "../contract/fields.ts";
import { feedbackKind, RecordedFeedback } from "../review/feedback/record.ts";
import { recordFeedback } from "../review/feedback/record-feedback.ts";
import { SignOff } from "../review/sign-offs/record.ts";
import { signOffDeliverable } from "../review/sign-offs/sign-off-deliverable.ts";
import { type AdminOperations, workspaceOperation } from "./operation.ts";

export const reviewOperations: AdminOperations = {
  "record-feedback": workspaceOperation({
    summary: "Record what a client said of the newest version",
    action: "record feedback",
    input: z.strictObject({
      deliverable: idInput,
      kind: feedbackKind.default("comment"),
      body: text(1, 5000),
      author_name: line(1, 200),
    }),
    answer: RecordedFeedback,
    run: recordFeedback,
  }),

  "sign-off-deliverable": workspaceOperation({
    summary: "Record a client's sign-off of the newest version; it is final",
    action: "record sign-offs",
    input: z.strictObject({ deliverable: idInput, signer_name: line(1, 200) }),
    answer: SignOff,
    run: signOffDeliverable,
  }),
};
