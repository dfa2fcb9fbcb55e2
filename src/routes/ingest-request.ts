import { Refusal } from "../contract/refusal.ts";
import { runLast } from "../db/query.ts";
import { bodyExample } from "../http/body-example.ts";
import { write } from "../http/write.ts";
import { newId } from "../platform/new-id.ts";
import {
  evidenceOf,
  evidenceReferences,
  ingestEvidence,
  readEvidence,
  recordEvidence,
} from "../review/evidence/ingest-evidence.ts";
import { DryRunEvidence, Evidence, NewEvidence } from "../review/evidence/record.ts";

const example: Evidence = {
  id: "b7a1c2d3-e4f5-4a6b-8c7d-9e0f1a2b3c4d",
  client_id: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11",
  project_id: "7d0e5b1e-2f6c-4d63-8c0e-1b9a5d0c3f42",
  deliverable_id: null,
  content: "Could we also have the page in French?",
  author_kind: "client",
  author_name: "Nora Wind",
  author_address: "nora@northwind.example",
  external_id: "gmail-18f3a2b1c0d9e8f7",
  metadata: { channel: "email", api_token_id: "c9d8e7f6-a5b4-4c3d-8e2f-1a0b9c8d7e6f" },
  created_at: "2026-01-31T09:30:00.000Z",
};

export const ingestRequest = write({
  path: "/api-ingest-request",
  operationId: "ingestRequest",
  tag: "Scope requests",
  summary: "Ingest a client message as scope-request evidence",
  description:
    "Requires the workspace feature `connector_api_ingest`. `external_id` is unique in the workspace. " +
    "Sending the same content again replays the first record, even with a different Idempotency-Key. Sending " +
    "different content returns 409 `idempotency_key_reused`.",
  scope: "request:write",
  feature: "connector_api_ingest",
  body: NewEvidence,
  answer: Evidence,
  dryRunAnswer: DryRunEvidence,
  answerDescription: "The evidence",
  examples: {
    body: {
      ...bodyExample(NewEvidence, example),
      metadata: { channel: "email" },
    },
    answer: example,
  },
  action: "scope_request.ingested",
  load: ({ tokenHash, body, key }) => evidenceReferences(tokenHash, body, body.external_id ?? key),
  decide(context, { body, key, entry }, references) {
    const id = newId();
    const insert = ingestEvidence(context, id, body, references, body.external_id ?? key);
    if (insert instanceof Refusal || "answer" in insert) return insert;
    return () => runLast(context.services.db, [insert, recordEvidence(entry(id))]);
  },
  answerOf: evidenceOf,
  recall: (organizationId, { subjectId }) => readEvidence(organizationId, subjectId),
});
