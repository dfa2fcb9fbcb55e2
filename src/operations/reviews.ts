import * as z from "zod";
import { idInput, line, text } from "../contract/fields.ts";
import { reviewLimits } from "../contract/review-limits.ts";
import { replyToReview } from "../review/deliverables/reply-to-review.ts";
import { clientFeedbackKind, RecordedFeedback } from "../review/feedback/record.ts";
import { feedbackOfEntry, recordFeedback } from "../review/feedback/record-feedback.ts";
import { RecordedSignOff } from "../review/sign-offs/record.ts";
import { signOffDeliverable, signOffOfEntry } from "../review/sign-offs/sign-off-deliverable.ts";
import { type AdminOperations, workspaceOperation } from "./operation.ts";

export const reviewOperations: AdminOperations = {
  "record-feedback": workspaceOperation({
    summary: "Record a client's feedback on the newest version",
    action: "record feedback",
    input: z.strictObject({
      deliverable: idInput,
      kind: clientFeedbackKind.default("comment"),
      body: text(1, reviewLimits.bodyCharacters),
      author_name: line(1, reviewLimits.nameCharacters),
    }),
    answer: RecordedFeedback,
    run: recordFeedback,
    again: feedbackOfEntry,
  }),

  "reply-to-review": workspaceOperation({
    summary: "Reply to the client in a review, and e-mail them; the review's state does not change",
    action: "reply in reviews",
    input: z.strictObject({ deliverable: idInput, body: text(1, reviewLimits.bodyCharacters) }),
    answer: RecordedFeedback,
    run: replyToReview,
    again: feedbackOfEntry,
  }),

  "sign-off-deliverable": workspaceOperation({
    summary: "Record a client's sign-off of the newest version, which is final",
    action: "record sign-offs",
    input: z.strictObject({ deliverable: idInput, signer_name: line(1, reviewLimits.nameCharacters) }),
    answer: RecordedSignOff,
    run: signOffDeliverable,
    again: signOffOfEntry,
  }),
};
