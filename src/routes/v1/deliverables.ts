import { limits } from "../../contract/limits.ts";
import { CreatedDeliverable, Deliverable, NewDeliverable } from "../../contract/resources/deliverable.ts";
import {
  createDeliverable,
  deliverableReferences,
  refuseDeliverable,
} from "../../domain/deliverables/create-deliverable.ts";
import { deliverables } from "../../domain/deliverables/read-deliverables.ts";
import { shareUrl } from "../../domain/deliverables/share-url.ts";
import { listRoute, recordRoute } from "../../http/list-route.ts";
import { authorshipOf, write } from "../../http/route.ts";

const example: Deliverable = {
  id: "3c6e0b8a-9c15-4b7d-8f4e-5d2a1b0c9e87",
  title: "Homepage concept",
  client_id: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11",
  project_id: "7d0e5b1e-2f6c-4d63-8c0e-1b9a5d0c3f42",
  embed_url: "https://www.figma.com/embed?url=https%3A%2F%2Fwww.figma.com%2Ffile%2Fabc",
  asset_path: null,
  share_url: "https://app.example.com/review/QmFzZTY0VXJsVG9rZW5XaXRoMzJD",
  review_state: "in_review",
  current_state: "open",
  status_label: "With the client",
  version_number: 2,
  is_sample: false,
  sent_at: "2026-01-31T09:30:00.000Z",
  signed_off_at: null,
  created_at: "2026-01-30T16:00:00.000Z",
  updated_at: "2026-01-31T09:30:00.000Z",
};

const described = { tag: "Deliverables", resource: Deliverable, example };

export const listDeliverables = listRoute({
  ...described,
  path: "/api-v1/deliverables",
  operationId: "listDeliverables",
  summary: "List deliverables",
  scope: "deliverable:read",
  page: deliverables.page,
});

export const getDeliverable = recordRoute({
  ...described,
  path: "/api-v1/deliverables/{id}",
  operationId: "getDeliverable",
  summary: "Get a deliverable",
  scope: "deliverable:read",
  find: deliverables.find,
});

export const postDeliverable = write({
  path: "/api-v1/deliverables",
  operationId: "createDeliverable",
  tag: "Deliverables",
  summary: "Create a deliverable",
  description:
    "Its first version is written with it and records the image. Counts against the plan's deliverable limit. " +
    "SVG and PDF cannot be stored: send them as `embed_url`. `share_url` stands under the request's Origin if that is https.",
  scope: "deliverable:write",
  body: NewDeliverable,
  maximumBodyBytes: limits.imageBodyBytes,
  answer: CreatedDeliverable,
  answerDescription: "The deliverable's id and the address where its client reviews it",
  examples: {
    body: { title: example.title, client_id: example.client_id, embed_url: example.embed_url },
    answer: { id: example.id, share_url: example.share_url },
  },
  failures: ["plan_deliverable_cap", "storage_unavailable"],
  preconditions: ({ tokenHash, body }) => deliverableReferences(tokenHash, body),
  findExisting: ({ principal, id }) => deliverables.existing(principal.organizationId, id),
  plan(context, references) {
    const { body, origin, services } = context;
    const refusal = refuseDeliverable(body, references);
    if (refusal) return refusal;
    const made = {
      share_url: shareUrl(origin, services.applicationUrl),
      is_sample: references.clientIsSample === true,
    };
    return () => createDeliverable(services, authorshipOf(context), body, made);
  },
});
