import { reviewStates } from "../../contract/closed-sets.ts";
import { limits } from "../../contract/limits.ts";
import { bodyExample } from "../../http/body-example.ts";
import { flagFilter, idFilter, stateFilter } from "../../http/filters.ts";
import { listRoute, recordRoute } from "../../http/list-route.ts";
import { write } from "../../http/write.ts";
import { newId } from "../../platform/new-id.ts";
import { shareUrl } from "../../review/access/share-url.ts";
import {
  createDeliverable,
  deliverableReferences,
  refuseDeliverable,
} from "../../review/deliverables/create-deliverable.ts";
import { deliverableResource } from "../../review/deliverables/read-deliverables.ts";
import {
  Deliverable,
  exampleDeliverable as example,
  NewDeliverable,
} from "../../review/deliverables/record.ts";

const described = { tag: "Deliverables", resource: Deliverable, example };

export const listDeliverables = listRoute({
  ...described,
  path: "/api-v1/deliverables",
  operationId: "listDeliverables",
  summary: "List deliverables",
  scope: "deliverable:read",
  filters: {
    client_id: idFilter("client"),
    project_id: idFilter("project"),
    review_state: stateFilter(reviewStates),
    is_sample: flagFilter("Whether the deliverable is onboarding sample data", "false"),
  },
  page: deliverableResource.page,
});

export const getDeliverable = recordRoute({
  ...described,
  path: "/api-v1/deliverables/{id}",
  operationId: "getDeliverable",
  summary: "Get a deliverable",
  scope: "deliverable:read",
  find: deliverableResource.find,
});

export const postDeliverable = write({
  path: "/api-v1/deliverables",
  operationId: "createDeliverable",
  tag: "Deliverables",
  summary: "Create a deliverable",
  description:
    "Also creates the first version, including the image. The deliverable counts toward the plan's " +
    "deliverable limit. SVG and PDF files cannot be stored; link to them with `embed_url` instead. " +
    "`share_url` uses the origin in the request's `Origin` header if it is an https origin.",
  scope: "deliverable:write",
  body: NewDeliverable,
  maximumBodyBytes: limits.imageBodyBytes,
  answer: Deliverable,
  answerDescription: "The deliverable; the client reviews it at `share_url`",
  examples: {
    body: bodyExample(NewDeliverable, example),
    answer: {
      ...example,
      review_state: "draft",
      status_label: null,
      version_number: 1,
      sent_at: null,
      reminder_due_at: null,
      updated_at: example.created_at,
    },
  },
  failures: ["plan_deliverable_cap", "plan_storage_cap", "storage_unavailable"],
  action: "deliverable.created",
  load: ({ tokenHash, body }) => deliverableReferences(tokenHash, body),
  decide(context, { body, origin, entry }, references) {
    const refusal = refuseDeliverable(body, references);
    if (refusal) return refusal;
    const id = newId();
    const shown = {
      share_url: shareUrl(origin, context.services.applicationUrl, context.organization.link_prefix),
      is_sample: references.clientIsSample === true,
    };
    return () => createDeliverable(context, id, body, shown, entry(id));
  },
  answerOf: deliverableResource.fromText,
  recall: (organizationId, { subjectId }) => deliverableResource.read(organizationId, subjectId),
});
