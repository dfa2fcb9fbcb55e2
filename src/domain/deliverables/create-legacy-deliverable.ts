import { type Refusal, refuse } from "../../contract/failures.ts";
import type { CreatedDeliverable, LegacyNewDeliverable } from "../../contract/resources/deliverable.ts";
import { batch, type Query, run, statement } from "../../db/query.ts";
import { removeImage, storeImage } from "../../platform/images.ts";
import { report } from "../../platform/report.ts";
import type { Authorship } from "../authorship.ts";
import { type Asset, assetOf } from "./asset.ts";
import { insertDeliverable, versionOneId } from "./create-deliverable.ts";
import type { Stores } from "./keep-image.ts";

/**
 * Creates a deliverable as the legacy route does: the row first, with its own share URL in the place of a missing
 * embed_url and no asset in version 1; then the image. If the image cannot be attached, the row is rolled back.
 */
export async function createLegacyDeliverable(
  stores: Stores,
  authorship: Authorship,
  deliverable: LegacyNewDeliverable,
  made: { shareUrl: string; isSample: boolean },
): Promise<CreatedDeliverable | Refusal> {
  const { id, organizationId } = authorship;
  const { title, client_id, embed_url, image_base64: image } = deliverable;
  const rows = {
    title,
    client_id,
    project_id: null,
    embed_url: embed_url ?? made.shareUrl,
    asset_path: null,
    share_url: made.shareUrl,
    isSample: made.isSample,
  };
  await batch(stores.db, insertDeliverable(authorship, rows));
  if (image) {
    const asset = assetOf({ organizationId, deliverableId: id, versionId: versionOneId(id) }, image);
    try {
      await storeImage(stores.images, asset);
      await run(stores.db, attachAsset(organizationId, id, asset));
    } catch (error) {
      report({ attaching: asset.path }, error);
      await rollBack(stores, organizationId, id, asset);
      return refuse("storage_unavailable");
    }
  }
  return { id, share_url: made.shareUrl };
}

const attachAsset = (organizationId: string, id: string, { path }: Asset): Query<void> =>
  statement(
    "UPDATE deliverables SET asset_path = ? WHERE id = ? AND organization_id = ?",
    path,
    id,
    organizationId,
  );

/** The row first, and by a trigger its version, then the image; a row that cannot be removed is the caller's 500. */
async function rollBack({ db, images }: Stores, organizationId: string, id: string, { path }: Asset) {
  await run(
    db,
    statement("DELETE FROM deliverables WHERE id = ? AND organization_id = ?", id, organizationId),
  );
  await removeImage(images, path).catch((error) => {
    report({ left: path }, error);
  });
}
