import { limits } from "../../contract/limits.ts";
import { write } from "../../http/write.ts";
import { newId } from "../../platform/new-id.ts";
import { shareUrl } from "../../review/access/share-url.ts";
import { deliverableReferences, refuseDeliverable } from "../../review/deliverables/create-deliverable.ts";
import { createLegacyDeliverable } from "../../review/deliverables/create-legacy-deliverable.ts";
import { CreatedDeliverable, LegacyNewDeliverable } from "../../review/deliverables/record.ts";

/** Contract G2, unchanged: no Idempotency-Key; unknown fields are ignored. */
export const legacyCreateDeliverable = write({
  path: "/api-create-deliverable",
  operationId: "legacyCreateDeliverable",
  tag: "Legacy",
  summary: "Create a deliverable",
  description:
    "`embed_url` defaults to the deliverable's share URL. In new integrations, use POST " +
    "/api-v1/deliverables, which can be retried safely.",
  idempotent: false,
  scope: "deliverable:write",
  ignoresUnknown: true,
  body: LegacyNewDeliverable,
  maximumBodyBytes: limits.imageBodyBytes,
  answer: CreatedDeliverable,
  answerDescription: "The deliverable's id and the URL where the client reviews it",
  examples: {
    body: {
      title: "Homepage concept",
      client_id: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11",
      embed_url: "https://www.example.com/concept",
    },
    answer: {
      id: "3c6e0b8a-9c15-4b7d-8f4e-5d2a1b0c9e87",
      share_url: "https://app.example.com/review/QmFzZTY0VXJsVG9rZW5XaXRoMzJD",
    },
  },
  failures: ["plan_deliverable_cap", "plan_storage_cap", "insert_failed", "storage_unavailable"],
  action: "deliverable.created",
  load: ({ tokenHash, body }) => deliverableReferences(tokenHash, body),
  decide(context, { body, origin, entry }, references) {
    const refusal = refuseDeliverable(body, references);
    if (refusal) return refusal;
    const id = newId();
    const made = {
      share_url: shareUrl(origin, context.services.applicationUrl, context.organization.link_prefix),
      is_sample: references.clientIsSample === true,
    };
    return () => createLegacyDeliverable(context, id, body, made, entry(id));
  },
});
