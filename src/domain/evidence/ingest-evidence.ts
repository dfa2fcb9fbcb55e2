import canonicalize from "canonicalize";
import { and, desc, eq, or } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Refusal } from "../../contract/failures.ts";
import { Evidence, type NewEvidence } from "../../contract/resources/evidence.ts";
import { answerOf } from "../../db/answer.ts";
import { build, inserting, nullable, type Placeholders, prepared, row, rowOf } from "../../db/build.ts";
import { grantedBy } from "../../db/organization.ts";
import { mapped, type Query, required } from "../../db/query.ts";
import type { Existing } from "../../db/resource.ts";
import { deliverables, scopeRequestEvidence as table } from "../../db/schema/review.ts";
import { clients, projects } from "../../db/schema/work.ts";
import { apiTokens } from "../../db/schema/workspace.ts";
import { sha256Hex } from "../../platform/digest.ts";
import type { Authorship } from "../authorship.ts";
import { wrongReference } from "../wrong-reference.ts";

/** The clients of the records that a message refers to, if these are in the workspace. */
interface EvidenceReferences {
  clientId: string | null;
  clientOfProject: string | null;
  clientOfDeliverable: string | null;
}

type Asked = { tokenHash: string; clientId: string; projectId: string | null; deliverableId: string | null };

const findReferences = prepared((bind: Placeholders<Asked>) => {
  const ofToken = (organizationId: SQLiteColumn) => eq(organizationId, apiTokens.organization_id);
  return rowOf(
    build
      .select({
        clientId: nullable(clients.id, "clientId"),
        clientOfProject: nullable(projects.client_id, "clientOfProject"),
        clientOfDeliverable: nullable(deliverables.client_id, "clientOfDeliverable"),
      })
      .from(apiTokens)
      .leftJoin(clients, and(eq(clients.id, bind.clientId), ofToken(clients.organization_id)))
      .leftJoin(projects, and(eq(projects.id, bind.projectId), ofToken(projects.organization_id)))
      .leftJoin(
        deliverables,
        and(eq(deliverables.id, bind.deliverableId), ofToken(deliverables.organization_id)),
      )
      .where(grantedBy(bind.tokenHash, "request:write")),
  );
});

const nothingKnown: EvidenceReferences = { clientId: null, clientOfProject: null, clientOfDeliverable: null };

export const evidenceReferences = (tokenHash: string, evidence: NewEvidence): Query<EvidenceReferences> =>
  mapped(
    findReferences({
      tokenHash,
      clientId: evidence.client_id,
      projectId: evidence.project_id ?? null,
      deliverableId: evidence.deliverable_id ?? null,
    }),
    (found) => found ?? nothingKnown,
  );

/**
 * The fingerprint of a message's content, author and references. Two ingests of one external_id are the same if it is
 * the same.
 */
const contentFingerprint = ({ external_id: _, ...said }: NewEvidence): string =>
  sha256Hex(canonicalize(said) ?? "");

const { selection, read } = answerOf(table, Evidence, {});
const insertRow = inserting(table, selection);

/** Writes a client message as evidence; a 400 names the reference that is not valid. */
export function ingestEvidence(
  { id, organizationId, actorId, apiTokenId }: Authorship,
  evidence: NewEvidence,
  references: EvidenceReferences,
  origin: { externalId: string; tokenId: string },
): Refusal | Query<Evidence> {
  const refusal = refuseReferences(evidence, references);
  if (refusal) return refusal;
  const row = {
    ...evidence,
    id,
    organization_id: organizationId,
    external_id: origin.externalId,
    metadata: { ...evidence.metadata, api_token_id: origin.tokenId },
    created_by: actorId,
    content_fingerprint: contentFingerprint(evidence),
    api_token_id: apiTokenId,
  };
  return required(mapped(insertRow(row), (made) => made && read(made)));
}

const refuseReferences = (
  { client_id, project_id, deliverable_id }: NewEvidence,
  known: EvidenceReferences,
): Refusal | undefined =>
  wrongReference("client_id", client_id, known.clientId, client_id) ??
  wrongReference("project_id", project_id, known.clientOfProject, client_id) ??
  wrongReference("deliverable_id", deliverable_id, known.clientOfDeliverable, client_id);

type Named = { organizationId: string; externalId: string; id: string };

const findNamed = prepared((bind: Placeholders<Named>) => {
  const fields = { ...selection, content_fingerprint: table.content_fingerprint };
  const named = or(eq(table.external_id, bind.externalId), eq(table.id, bind.id));
  const built = build
    .select(fields)
    .from(table)
    .where(and(eq(table.organization_id, bind.organizationId), named))
    .orderBy(desc(eq(table.external_id, bind.externalId)))
    .limit(1);
  return mapped(row(fields, built), (found) => {
    if (found === null) return null;
    const { content_fingerprint, ...record } = found;
    return { content_fingerprint, evidence: read(record) };
  });
});

/**
 * The record under this external_id, kept for ever, or under the id of an earlier attempt. If its content is the same,
 * it answers this request under any Idempotency-Key.
 */
export const existingEvidence = (
  { id, organizationId, fingerprint }: Authorship,
  asked: NewEvidence,
  externalId: string,
): Query<Existing | null> =>
  mapped(findNamed({ organizationId, externalId, id }), (found) => {
    if (found === null) return null;
    const { evidence, content_fingerprint } = found;
    const isSame = evidence.external_id === externalId && content_fingerprint === contentFingerprint(asked);
    return { fingerprint: isSame ? fingerprint : null, answer: evidence };
  });
