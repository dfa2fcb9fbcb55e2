import canonicalize from "canonicalize";
import { invalid, type Refusal } from "../../contract/failures.ts";
import type { Evidence, NewEvidence } from "../../contract/resources/evidence.ts";
import type { Query, Row } from "../../db/query.ts";
import { sha256Hex } from "../../platform/digest.ts";
import type { Authorship } from "../authorship.ts";
import type { Recalled } from "../recall.ts";
import { wrongReference } from "../wrong-reference.ts";

/** The clients behind what a message refers to, as far as it belongs to the workspace. */
export interface EvidenceReferences {
  clientIsKnown: boolean;
  clientOfProject: string | null;
  clientOfDeliverable: string | null;
}

const referencesSql = `
WITH o AS (SELECT organization_id FROM api_tokens WHERE token_hash = ?1)
SELECT EXISTS (SELECT 1 FROM clients WHERE id = ?2 AND organization_id = o.organization_id) AS client_is_known,
  (SELECT client_id FROM projects WHERE id = ?3 AND organization_id = o.organization_id) AS client_of_project,
  (SELECT client_id FROM deliverables WHERE id = ?4 AND organization_id = o.organization_id) AS client_of_deliverable
FROM o`;

export const evidenceReferences = (tokenHash: string, evidence: NewEvidence): Query<EvidenceReferences> => ({
  sql: referencesSql,
  params: [tokenHash, evidence.client_id, evidence.project_id ?? null, evidence.deliverable_id ?? null],
  read: ([row]) => ({
    clientIsKnown: row?.client_is_known === 1,
    clientOfProject: row?.client_of_project ?? null,
    clientOfDeliverable: row?.client_of_deliverable ?? null,
  }),
});

/** What was said, by whom, about what: two ingests of one external_id are the same if this is. */
const contentFingerprint = ({ external_id: _, ...said }: NewEvidence): string =>
  sha256Hex(canonicalize(said) ?? "");

const columns = `id, client_id, project_id, deliverable_id, content, author_kind, author_name, author_address, external_id,
  metadata, created_at`;

const insertSql = `
INSERT INTO scope_request_evidence (id, organization_id, client_id, project_id, deliverable_id, content, author_kind,
  author_name, author_address, external_id, metadata, created_by, content_fingerprint)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${columns}`;

/** Writes a client message as evidence; a 400 names the reference that is not valid. */
export function ingestEvidence(
  { id, organizationId, actorId }: Authorship,
  evidence: NewEvidence,
  references: EvidenceReferences,
  origin: { externalId: string; tokenId: string },
): Refusal | Query<Evidence> {
  const refusal = refuseReferences(evidence, references);
  if (refusal) return refusal;
  return {
    sql: insertSql,
    params: [
      id,
      organizationId,
      evidence.client_id,
      evidence.project_id ?? null,
      evidence.deliverable_id ?? null,
      evidence.content,
      evidence.author_kind,
      evidence.author_name ?? null,
      evidence.author_address ?? null,
      origin.externalId,
      JSON.stringify({ ...evidence.metadata, api_token_id: origin.tokenId }),
      actorId,
      contentFingerprint(evidence),
    ],
    read: ([row]) => toEvidence(row ?? {}),
  };
}

function refuseReferences(evidence: NewEvidence, known: EvidenceReferences): Refusal | undefined {
  if (!known.clientIsKnown) return invalid("client_id not found in this workspace");
  const { client_id, project_id, deliverable_id } = evidence;
  return (
    wrongReference("project_id", project_id, known.clientOfProject, client_id) ??
    wrongReference("deliverable_id", deliverable_id, known.clientOfDeliverable, client_id)
  );
}

const toEvidence = (row: Row): Evidence => ({
  ...(row as Evidence),
  metadata: JSON.parse(row.metadata),
});

const recallSql = `
SELECT ${columns}, content_fingerprint FROM scope_request_evidence
WHERE organization_id = ?1 AND (external_id = ?2 OR id = ?3) ORDER BY external_id = ?2 DESC LIMIT 1`;

/**
 * The record under an external_id, kept for ever, or under the id of an earlier attempt. If it says the same it answers
 * this request, whatever its Idempotency-Key.
 */
export const recallEvidence = (
  { id, organizationId, fingerprint }: Authorship,
  evidence: NewEvidence,
  externalId: string,
): Query<Recalled | null> => ({
  sql: recallSql,
  params: [organizationId, externalId, id],
  read: ([row]) => {
    if (!row) return null;
    const { content_fingerprint, ...record } = row;
    const isSame = record.external_id === externalId && content_fingerprint === contentFingerprint(evidence);
    return { fingerprint: isSame ? fingerprint : null, answer: toEvidence(record) };
  },
});
