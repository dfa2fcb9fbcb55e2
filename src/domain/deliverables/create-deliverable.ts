import { invalid, type Refusal, refuse } from "../../contract/failures.ts";
import type { CreatedDeliverable, NewDeliverable } from "../../contract/resources/deliverable.ts";
import type { Version } from "../../contract/resources/version.ts";
import { batch, type Query, statement } from "../../db/query.ts";
import { derivedUuid } from "../../platform/digest.ts";
import type { Authorship } from "../authorship.ts";
import { wrongReference } from "../wrong-reference.ts";
import { assetFields, assetOf } from "./asset.ts";
import { hashVersion, insertVersion } from "./insert-version.ts";
import { keepImage, type Stores, versionRefersTo } from "./keep-image.ts";

/** What a new deliverable refers to, as far as it belongs to the workspace, and whether the plan has room for it. */
export interface DeliverableReferences {
  clientIsKnown: boolean;
  clientIsSample: boolean;
  /** undefined: no such project. */
  clientOfProject: string | undefined;
  capIsReached: boolean;
}

const referencesSql = `
SELECT c.is_sample AS client_is_sample, p.client_id AS client_of_project,
  o.deliverable_count >= plans.deliverable_cap AS cap_is_reached
FROM api_tokens t
JOIN organizations o ON o.id = t.organization_id
JOIN plans ON plans.name = o.plan
LEFT JOIN clients c ON c.id = ?2 AND c.organization_id = o.id
LEFT JOIN projects p ON p.id = ?3 AND p.organization_id = o.id
WHERE t.token_hash = ?1`;

export const deliverableReferences = (
  tokenHash: string,
  { client_id, project_id }: Pick<NewDeliverable, "client_id" | "project_id">,
): Query<DeliverableReferences> => ({
  sql: referencesSql,
  params: [tokenHash, client_id, project_id ?? null],
  read: ([row]) => ({
    clientIsKnown: typeof row?.client_is_sample === "number",
    clientIsSample: row?.client_is_sample === 1,
    clientOfProject: row?.client_of_project ?? undefined,
    capIsReached: row?.cap_is_reached === 1,
  }),
});

/** Judges a new deliverable before its image is stored; the database guards the same again when it is written. */
export function refuseDeliverable(
  { client_id, project_id }: Pick<NewDeliverable, "client_id" | "project_id">,
  known: DeliverableReferences,
): Refusal | undefined {
  if (!known.clientIsKnown) return invalid("client_id not found in this workspace");
  const wrongProject = wrongReference("project_id", project_id, known.clientOfProject, client_id);
  return wrongProject ?? (known.capIsReached ? refuse("plan_deliverable_cap") : undefined);
}

const insertSql = `
INSERT INTO deliverables (id, organization_id, client_id, project_id, title, embed_url, asset_path, share_url, is_sample,
  created_by, request_fingerprint)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The rows of a deliverable and its first version. */
export interface DeliverableRows {
  title: string;
  client_id: string;
  project_id: string | null;
  embed_url: string | null;
  asset_path: string | null;
  share_url: string;
  isSample: boolean;
}

export const versionOneId = (deliverableId: string): string => derivedUuid(deliverableId, "version 1");

export const insertDeliverable = (
  { id, organizationId, actorId, fingerprint }: Authorship,
  { title, client_id, project_id, embed_url, asset_path, share_url, isSample }: DeliverableRows,
): readonly [Query<void>, Query<Version>] => [
  statement(
    insertSql,
    id,
    organizationId,
    client_id,
    project_id,
    title,
    embed_url,
    asset_path,
    share_url,
    isSample ? 1 : 0,
    actorId,
    fingerprint,
  ),
  insertVersion(
    hashVersion({
      id: versionOneId(id),
      deliverable_id: id,
      version_number: 1,
      title,
      embed_url,
      ...assetFields(asset_path),
      note: null,
      previous_hash: null,
      created_by: actorId,
      created_at: new Date().toISOString(),
    }),
    organizationId,
    fingerprint,
  ),
];

/** Creates a deliverable with its first version, which records the image. */
export async function createDeliverable(
  stores: Stores,
  authorship: Authorship,
  deliverable: NewDeliverable,
  made: { shareUrl: string; isSample: boolean },
): Promise<CreatedDeliverable | Refusal> {
  const { id, organizationId } = authorship;
  const { title, client_id, project_id, embed_url, image_base64: image } = deliverable;
  const versionId = versionOneId(id);
  const asset = image && assetOf({ organizationId, deliverableId: id, versionId }, image);
  const commit = async () => {
    const rows = {
      title,
      client_id,
      project_id: project_id ?? null,
      embed_url: embed_url ?? null,
      asset_path: asset?.path ?? null,
      share_url: made.shareUrl,
      isSample: made.isSample,
    };
    await batch(stores.db, insertDeliverable(authorship, rows));
    return { id, share_url: made.shareUrl };
  };
  return asset
    ? keepImage(stores, asset, versionRefersTo(organizationId, versionId, asset), commit)
    : commit();
}
