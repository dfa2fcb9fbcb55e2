import * as z from "zod";
import { feedbackKinds, reviewStates } from "../closed-sets.ts";
import { id, open, timestamp } from "../fields.ts";
import { exampleParty, partyMaybeWithoutProject, webhookEvent } from "./webhook-event.ts";

/** The events of deliverables; deliverable.sql writes them. */

const deliverable = {
  deliverable_id: id,
  title: z.string(),
  version_number: z.int(),
  review_state: open(reviewStates),
  ...partyMaybeWithoutProject,
};

const exampleDeliverable = {
  deliverable_id: "4f5c0a3e-5a30-4d3c-9f57-0f1c2b7f8a11",
  title: "Homepage",
  version_number: 2,
  ...exampleParty,
};

export const deliverableEvents = {
  "feedback.created": webhookEvent("feedback.created", {
    category: "delivery",
    firesWhen: "a client submits feedback on a deliverable",
    data: {
      ...deliverable,
      feedback_id: id,
      kind: z.enum(feedbackKinds),
      author_name: z.string(),
    },
    example: {
      ...exampleDeliverable,
      review_state: "changes_requested",
      feedback_id: "5e6f7a8b-9c0d-4e1f-8a2b-3c4d5e6f7a16",
      kind: "change_request",
      author_name: "Ada",
    },
  }),
  "signoff.recorded": webhookEvent("signoff.recorded", {
    category: "delivery",
    firesWhen: "a deliverable sign-off completes",
    data: { ...deliverable, signer_name: z.string().nullable() },
    example: { ...exampleDeliverable, review_state: "approved", signer_name: "Ada" },
  }),
  "deliverable.sent": webhookEvent("deliverable.sent", {
    category: "delivery",
    firesWhen: "a deliverable is sent for review",
    data: { ...deliverable, sent_at: timestamp },
    example: { ...exampleDeliverable, review_state: "in_review", sent_at: "2026-01-31T09:30:00.000Z" },
  }),
};
