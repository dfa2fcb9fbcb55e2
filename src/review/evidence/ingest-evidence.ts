import canonicalize from "canonicalize";
import { and, eq, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import type { Context } from "../../core/context.ts";
import { recorder } from "../../core/ledger/ledger.ts";
import { answerOf } from "../../db/answer.ts";
import {
  asJson,
  build,
  inserting,
  nullable,
  type Placeholders,
  prepared,
  row,
  rowOf,
} from "../../db/build.ts";
import { mapped, type Query } from "../../db/query.ts";
import { sha256Hex } from "../../platform/digest.ts";
import { clients } from "../../work/clients/tables.ts";
import { projects } from "../../work/projects/tables.ts";
import { wrongReference } from "../../work/wrong-reference.ts";
import { grantedBy } from "../../workspace/tokens/organization-of.ts";
import type { TokenActor } from "../../workspace/tokens/principal.ts";
import { apiTokens } from "../../workspace/tokens/tables.ts";
import { deliverables } from "../deliverables/tables.ts";
import { Evidence, type NewEvidence } from "./record.ts";
import { scopeRequestEvidence as table } from "./tables.ts";

/** The clients of the records that a message refers to, and any existing evidence with the same external_id. */
interface EvidenceReferences {
  clientId: string | null;
  clientOfProject: string | null;
  clientOfDeliverable: string | null;
  existing: { content_fingerprint: string; evidence: Evidence } | null;
}

type ReferenceValues = {
  tokenHash: string;
  externalId: string;
  clientId: string;
  projectId: string | null;
  deliverableId: string | null;
};

const { selection, read } = answerOf(table, Evidence, {});
const { json, read: fromJson } = asJson(selection);
const insertRow = inserting(table);

const findReferences = prepared((bind: Placeholders<ReferenceValues>) => {
  const ofToken = (organizationId: SQLiteColumn) => eq(organizationId, apiTokens.organization_id);
  return rowOf(
    build
      .select({
        clientId: nullable(clients.id, "clientId"),
        clientOfProject: nullable(projects.client_id, "clientOfProject"),
        clientOfDeliverable: nullable(deliverables.client_id, "clientOfDeliverable"),
        existingFingerprint: nullable(table.content_fingerprint, "existingFingerprint"),
        existing: sql<string | null>`${json}`.as("existing"),
      })
      .from(apiTokens)
      .leftJoin(clients, and(eq(clients.id, bind.clientId), ofToken(clients.organization_id)))
      .leftJoin(projects, and(eq(projects.id, bind.projectId), ofToken(projects.organization_id)))
      .leftJoin(
        deliverables,
        and(eq(deliverables.id, bind.deliverableId), ofToken(deliverables.organization_id)),
      )
      .leftJoin(table, and(eq(table.external_id, bind.externalId), ofToken(table.organization_id)))
      .where(grantedBy(bind.tokenHash, "request:write")),
  );
});

export const evidenceReferences = (
  tokenHash: string,
  evidence: NewEvidence,
  externalId: string,
): Query<EvidenceReferences> => {
  const {
    client_id: clientId,
    project_id: projectId = null,
    deliverable_id: deliverableId = null,
  } = evidence;
  return mapped(findReferences({ tokenHash, externalId, clientId, projectId, deliverableId }), (found) => {
    if (found === null) return nothingKnown;
    const { existingFingerprint: content_fingerprint, existing, ...clients } = found;
    if (content_fingerprint === null || existing === null) return { ...clients, existing: null };
    return { ...clients, existing: { content_fingerprint, evidence: evidenceOf(existing) } };
  });
};

const nothingKnown = { clientId: null, clientOfProject: null, clientOfDeliverable: null, existing: null };

/** Computes a digest of everything except the external_id. It is equal for repeated requests with the same content. */
const contentFingerprint = ({ external_id: _, ...said }: NewEvidence): string =>
  sha256Hex(canonicalize(said) ?? "");

/** Parses evidence from a ledger entry. */
export const evidenceOf = (text: string): Evidence => read(fromJson(text));

/** Writes the ledger entry for a request that created evidence, with the evidence as its response. */
export const recordEvidence = recorder(
  json,
  (bind) =>
    sql`FROM ${table} WHERE ${table.id} = ${bind.subjectId} AND ${table.organization_id} = ${bind.organizationId}`,
  evidenceOf,
);

export const readEvidence = (organizationId: string, id: string): Query<Evidence | null> =>
  mapped(
    row(
      selection,
      build
        .select(selection)
        .from(table)
        .where(and(eq(table.id, id), eq(table.organization_id, organizationId))),
    ),
    (found) => found && read(found),
  );

/**
 * Stores a client's message as evidence, or returns a 400 that names an invalid reference. If evidence with this
 * external_id exists, however old, a request with the same content returns it, and a request with different content
 * returns a 409.
 */
export function ingestEvidence(
  { organization, actor }: Context<TokenActor, never>,
  id: string,
  evidence: NewEvidence,
  references: EvidenceReferences,
  externalId: string,
): Refusal | { answer: Evidence; isReplay: true } | Query<unknown> {
  const { existing } = references;
  if (existing) {
    const isSame = existing.content_fingerprint === contentFingerprint(evidence);
    return isSame ? { answer: existing.evidence, isReplay: true } : refuse("idempotency_key_reused");
  }
  const refusal = refuseReferences(evidence, references);
  if (refusal) return refusal;
  return insertRow({
    ...evidence,
    id,
    organization_id: organization.id,
    external_id: externalId,
    metadata: { ...evidence.metadata, api_token_id: actor.tokenId },
    created_by: actor.id,
    content_fingerprint: contentFingerprint(evidence),
  });
}

const refuseReferences = (
  { client_id, project_id, deliverable_id }: NewEvidence,
  known: EvidenceReferences,
): Refusal | undefined =>
  wrongReference("client_id", client_id, known.clientId, client_id) ??
  wrongReference("project_id", project_id, known.clientOfProject, client_id) ??
  wrongReference("deliverable_id", deliverable_id, known.clientOfDeliverable, client_id);
