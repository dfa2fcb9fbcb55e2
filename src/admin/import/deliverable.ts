import type { Version } from "../../contract/resources/version.ts";
import { type Query, statement } from "../../db/query.ts";
import type { Authorship } from "../../domain/authorship.ts";
import { insertDeliverable } from "../../domain/deliverables/create-deliverable.ts";
import { hashVersion, insertVersion } from "../../domain/deliverables/insert-version.ts";
import { shareUrl } from "../../domain/deliverables/share-url.ts";
import type { DeliverableDocument, DeliverableStep } from "./workspace-document.ts";

/** The statements that make a deliverable and let its history happen. */
export function importDeliverable(
  authorship: Authorship,
  { title, embed_url, history = [] }: DeliverableDocument,
  place: { client_id: string; project_id: string | null; isSample: boolean; applicationUrl: string },
): Query<unknown>[] {
  const [row, firstVersion] = insertDeliverable(authorship, {
    title,
    client_id: place.client_id,
    project_id: place.project_id ?? undefined,
    embed_url,
    share_url: shareUrl(null, place.applicationUrl),
    is_sample: place.isSample,
  });
  const queries: Query<unknown>[] = [row, firstVersion];
  let newest = firstVersion.read([]);
  for (const step of history) {
    const { query, version } = take(step, newest, authorship);
    queries.push(query);
    newest = version;
  }
  return queries;
}

const sendSql =
  "INSERT INTO deliverable_sends (organization_id, deliverable_id, version_number, sent_by) VALUES (?, ?, ?, ?)";
const feedbackSql = `
INSERT INTO feedback (id, organization_id, deliverable_id, version_number, kind, body, author_name) VALUES (?, ?, ?, ?, ?, ?, ?)`;
const signOffSql =
  "INSERT INTO sign_offs (id, organization_id, deliverable_id, version_number, signer_name) VALUES (?, ?, ?, ?, ?)";

function take(
  step: DeliverableStep,
  version: Version,
  { organizationId, actorId }: Authorship,
): { query: Query<unknown>; version: Version } {
  const { deliverable_id, version_number } = version;
  const newest = [organizationId, deliverable_id, version_number] as const;
  if (step === "sent") return { query: statement(sendSql, ...newest, actorId), version };
  const id = crypto.randomUUID();
  if ("feedback" in step) {
    const { kind, body, author_name } = step.feedback;
    return { query: statement(feedbackSql, id, ...newest, kind, body, author_name), version };
  }
  if ("signed_off_by" in step) {
    return { query: statement(signOffSql, id, ...newest, step.signed_off_by), version };
  }
  const { hash, ...previous } = version;
  const next = hashVersion({
    ...previous,
    ...step.version,
    id,
    note: step.version.note ?? null,
    version_number: version_number + 1,
    previous_hash: hash,
    created_at: new Date().toISOString(),
  });
  return { query: insertVersion(next, organizationId, null), version: next };
}
