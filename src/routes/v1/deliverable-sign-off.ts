import { refuse } from "../../contract/refusal.ts";
import { RecordPath } from "../../http/list-route.ts";
import { read } from "../../http/read.ts";
import { proofOf } from "../../platform/signing.ts";
import { findSignOff } from "../../review/sign-offs/find-sign-off.ts";
import { SignOffRecord } from "../../review/sign-offs/record.ts";

const example: SignOffRecord = {
  deliverable_id: "4f5c0a3e-5a30-4d3c-9f57-0f1c2b7f8a11",
  version_number: 2,
  version_hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  signer_name: "Ada Lovelace",
  attribution: "mailed_link",
  consent: "I have seen version 2 of “Homepage” and accept it as it is.",
  consent_version: 1,
  signed_off_at: "2026-01-31T09:30:00.000Z",
  proof:
    "eyJhbGciOiJFZERTQSIsImtpZCI6IjIwMjYiLCJ0eXAiOiJzaWduLW9mZitqd3MifQ.eyJzaWduZXJfbmFtZSI6IkFkYSJ9.c2ln",
};

export const getDeliverableSignOff = read({
  path: "/api-v1/deliverables/{id}/sign-off",
  operationId: "getDeliverableSignOff",
  tag: "Deliverables",
  summary: "Who signed off which version, with a proof that verifies offline",
  description: "404 while the deliverable is open.",
  scope: "deliverable:read",
  params: RecordPath,
  answer: SignOffRecord,
  answerDescription: "The sign-off",
  examples: { answer: example },
  failures: ["not_found"],
  load: ({ tokenHash, params }) => findSignOff({ tokenHash, id: params.id }),
  async present(found, { services }) {
    if (!found) return refuse("not_found");
    return { ...found.facts, proof: await proofOf(services.signOffKeys, found.facts) };
  },
});
