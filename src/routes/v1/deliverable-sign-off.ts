import { refuse } from "../../contract/refusal.ts";
import { recordPath } from "../../http/list-route.ts";
import { read } from "../../http/read.ts";
import { proofOf } from "../../platform/signing.ts";
import { findSignOff } from "../../review/sign-offs/find-sign-off.ts";
import { exampleSignOff as example, SignOff } from "../../review/sign-offs/record.ts";

export const getDeliverableSignOff = read({
  path: "/api-v1/deliverables/{id}/sign-off",
  operationId: "getDeliverableSignOff",
  tag: "Deliverables",
  summary: "Get a deliverable's sign-off, with a proof that you can verify offline",
  description: "Returns 404 until the deliverable is signed off.",
  scope: "deliverable:read",
  params: recordPath(example.deliverable_id),
  answer: SignOff,
  answerDescription: "The sign-off",
  examples: { answer: example },
  failures: ["not_found"],
  load: ({ tokenHash, params }) => findSignOff({ tokenHash, id: params.id }),
  async present(found, { services }) {
    if (!found) return refuse("not_found");
    return { ...found.facts, proof: await proofOf(services.signOffKeys, found.facts) };
  },
});
