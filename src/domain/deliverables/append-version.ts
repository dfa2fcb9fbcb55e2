import { Refusal, refuse, textRaised } from "../../contract/failures.ts";
import type { NewVersion, Version } from "../../contract/resources/version.ts";
import { organizationOfTokenSql } from "../../db/organization.ts";
import { type Query, run } from "../../db/query.ts";
import type { Authorship } from "../authorship.ts";
import { recalled } from "../recall.ts";
import { type AssetFields, assetFields, assetOf } from "./asset.ts";
import { hashVersion, insertVersion } from "./insert-version.ts";
import { keepImage, type Stores, versionRefersTo } from "./keep-image.ts";

/** The newest version of a deliverable as the next one takes it up, and what may stand in its way. */
export interface WorkingCopy {
  deliverableId: string;
  versionNumber: number;
  title: string;
  embedUrl: string | null;
  assetPath: string | null;
  note: string | null;
  hash: string;
  isSignedOff: boolean;
  isOverBudget: boolean;
}

/** The note and the hash are the newest version's; the rest is the deliverable's own (legacy images are only there). */
const workingCopySql = `
SELECT d.id, d.version_number, d.title, d.embed_url, d.asset_path, v.note, v.hash, d.current_state = 'signed_off' AS signed_off,
  p.revision_rounds_used >= p.included_revision_rounds + p.overridden_revision_rounds AS over_budget
FROM deliverables d
JOIN deliverable_versions v ON v.deliverable_id = d.id AND v.version_number = d.version_number
LEFT JOIN projects p ON p.id = d.project_id
WHERE d.id = ? AND d.organization_id = ${organizationOfTokenSql}`;

export const findWorkingCopy = (tokenHash: string, deliverableId: string): Query<WorkingCopy | null> => ({
  sql: workingCopySql,
  params: [deliverableId, tokenHash],
  read: ([row]) =>
    row
      ? {
          deliverableId: row.id,
          versionNumber: row.version_number,
          title: row.title,
          embedUrl: row.embed_url,
          assetPath: row.asset_path,
          note: row.note,
          hash: row.hash,
          isSignedOff: row.signed_off === 1,
          isOverBudget: row.over_budget === 1,
        }
      : null,
});

/** The working copy that may be revised, or why there is none; the database guards the same again. */
export function revisable(copy: WorkingCopy | null): WorkingCopy | Refusal {
  if (!copy) return refuse("not_found");
  if (copy.isSignedOff) return refuse("deliverable_signed_off");
  return copy.isOverBudget ? refuse("revision_over_budget") : copy;
}

/** How long it goes on when others get in between; with the image's own time limits, it ends before the claim's lease. */
const patienceMs = 5_000;
const longestPauseMs = 50;

/** Appends a version to the working copy; to the next one, if another version gets in between. */
export async function appendVersion(
  stores: Stores,
  authorship: Authorship,
  tokenHash: string,
  fields: NewVersion,
  found: WorkingCopy,
): Promise<Version | Refusal> {
  const { id, organizationId, fingerprint } = authorship;
  const { deliverableId } = found;
  const asset =
    fields.image_base64 && assetOf({ organizationId, deliverableId, versionId: id }, fields.image_base64);
  const append = async () => {
    const startedMs = Date.now();
    for (let copy: WorkingCopy | Refusal = found; ; ) {
      if (copy instanceof Refusal) return copy;
      const version = nextVersion(copy, authorship, fields, assetFields(asset?.path ?? copy.assetPath));
      try {
        return await run(stores.db, insertVersion(version, organizationId, fingerprint));
      } catch (error) {
        const isRaced = textRaised(error) === "version_conflict" && Date.now() - startedMs < patienceMs;
        if (!isRaced) throw error;
      }
      await scheduler.wait(Math.random() * longestPauseMs);
      copy = revisable(await run(stores.db, findWorkingCopy(tokenHash, deliverableId)));
    }
  };
  return asset ? keepImage(stores, asset, versionRefersTo(organizationId, id, asset), append) : append();
}

const nextVersion = (
  copy: WorkingCopy,
  { id, actorId }: Authorship,
  { title, embed_url, note }: NewVersion,
  asset: AssetFields,
): Version =>
  hashVersion({
    id,
    deliverable_id: copy.deliverableId,
    version_number: copy.versionNumber + 1,
    title: title ?? copy.title,
    embed_url: embed_url ?? copy.embedUrl,
    ...asset,
    note: note ?? copy.note,
    previous_hash: copy.hash,
    created_by: actorId,
    created_at: new Date().toISOString(),
  });

const recallSql = `
SELECT id, deliverable_id, version_number, title, embed_url, asset_path, asset_content_type, asset_sha256, note,
  previous_hash, hash, created_by, created_at, request_fingerprint
FROM deliverable_versions WHERE id = ? AND organization_id = ?`;

export const recallVersion = (organizationId: string, id: string) =>
  recalled(recallSql, [id, organizationId], ({ request_fingerprint: _, ...version }) => version);
