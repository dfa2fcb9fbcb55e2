import * as z from "zod";
import { attributions, clientFeedbackKinds, feedbackKinds } from "../../contract/closed-sets.ts";
import { id, timestamp } from "../../contract/fields.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import { Deliverable } from "../deliverables/record.ts";

export const clientFeedbackKind = z.enum(clientFeedbackKinds);

const { min, max } = reviewLimits.anchorShare;
const share = (of: string) =>
  z
    .number()
    .min(min)
    .max(max)
    .meta({ description: `The position as a fraction (0 to 1) of the image's ${of}` });

export const Anchor = z
  .object({ x: share("width"), y: share("height") })
  .meta({ id: "Anchor", description: "The point on the image that a comment is about" });
export type Anchor = z.output<typeof Anchor>;

export const Feedback = z
  .object({
    id,
    deliverable_id: id,
    version_number: z.int().meta({ description: "The number of the version that the feedback is about" }),
    kind: z.enum(feedbackKinds).meta({
      description:
        "A client's comment or change request, or the workspace's `reply`, which does not change the state",
    }),
    body: z.string(),
    author_name: z.string(),
    attribution: z.enum(attributions).meta({
      description:
        "How the author was identified: by a link or code that was e-mailed to the client, by the review link " +
        "only (the name is then not verified), or by the admin who recorded the feedback",
    }),
    anchor: Anchor.nullable(),
    created_at: timestamp,
  })
  .meta({
    id: "Feedback",
    description:
      "A comment, change request or reply in a review. Feedback never changes, except that `author_name` and " +
      "`body` are replaced when the client is erased.",
  });
export type Feedback = z.output<typeof Feedback>;

export const exampleFeedback: Feedback = {
  id: "5e6f7a8b-9c0d-4e1f-8a2b-3c4d5e6f7a16",
  deliverable_id: "3c6e0b8a-9c15-4b7d-8f4e-5d2a1b0c9e87",
  version_number: 2,
  kind: "change_request",
  body: "The headline should be larger.",
  author_name: "Mara Lindqvist",
  attribution: "mailed_link",
  anchor: { x: 0.42, y: 0.18 },
  created_at: "2026-01-31T14:05:00.000Z",
};

export const RecordedFeedback = Feedback.extend({
  deliverable: Deliverable.meta({ description: "The deliverable after the feedback" }),
});

export type RecordedFeedback = z.output<typeof RecordedFeedback>;
