import * as z from "zod";
import { idInput, line, text } from "../../contract/fields.ts";
import { saidKind } from "../../contract/resources/feedback.ts";
import { RecordedFeedback, SignOff } from "../../contract/workspace/records.ts";
import { recordFeedback } from "../../domain/deliverables/record-feedback.ts";
import { replyToReview } from "../../domain/deliverables/reply-to-review.ts";
import { signOffDeliverable } from "../../domain/deliverables/sign-off-deliverable.ts";
import { type AdminOperations, workspaceOperation } from "../operation.ts";

export const reviewOperations: AdminOperations = {
  "record-feedback": workspaceOperation({
    summary: "Record what a client said of the newest version",
    action: "record feedback",
    input: z.strictObject({
      deliverable: idInput,
      kind: saidKind.default("comment"),
      body: text(1, 5000),
      author_name: line(1, 200),
    }),
    answer: RecordedFeedback,
    run: recordFeedback,
  }),

  "reply-to-review": workspaceOperation({
    summary: "Answer the client in the conversation of a review, and mail them; it changes no state",
    action: "reply in reviews",
    input: z.strictObject({ deliverable: idInput, body: text(1, 5000) }),
    answer: RecordedFeedback,
    run: replyToReview,
  }),

  "sign-off-deliverable": workspaceOperation({
    summary: "Record a client's sign-off of the newest version; it is final",
    action: "record sign-offs",
    input: z.strictObject({ deliverable: idInput, signer_name: line(1, 200) }),
    answer: SignOff,
    run: signOffDeliverable,
  }),
};
