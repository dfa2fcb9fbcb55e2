import { and, eq, sql } from "drizzle-orm";
import { type Refusal, refusalRaised, refuse } from "../../contract/failures.ts";
import type { CreatedDeliverable, LegacyNewDeliverable } from "../../contract/resources/deliverable.ts";
import { build, insertSelect, statement } from "../../db/build.ts";
import { batch, type Query } from "../../db/query.ts";
import { owned } from "../../db/records.ts";
import { deliverables as table } from "../../db/schema/review.ts";
import { auditLog, members } from "../../db/schema/workspace.ts";
import { removeImage, storeImage } from "../../platform/images.ts";
import { report } from "../../platform/log.ts";
import type { Authorship } from "../authorship.ts";
import { type Asset, assetOf } from "./asset.ts";
import { insertDeliverable, type NewRow, versionOneId } from "./create-deliverable.ts";
import type { Stores } from "./keep-image.ts";
import { countImage, uncountImage } from "./storage.ts";

/**
 * Creates a deliverable as the legacy route does: the row first, with its own share URL in the place of a missing
 * embed_url and no asset in version 1; then the image. If the image cannot be attached, the row is rolled back.
 */
export async function createLegacyDeliverable(
  stores: Stores,
  authorship: Authorship,
  deliverable: LegacyNewDeliverable,
  made: Pick<NewRow, "share_url" | "is_sample">,
): Promise<CreatedDeliverable | Refusal> {
  const { id, organizationId } = authorship;
  const { image_base64: image, ...fields } = deliverable;
  const row = { ...fields, embed_url: fields.embed_url ?? made.share_url, ...made };
  try {
    await batch(stores.db, insertDeliverable(authorship, row));
  } catch (error) {
    return refuseInsert(error, id);
  }
  if (image) {
    const asset = assetOf({ organizationId, deliverableId: id, versionId: versionOneId(id) }, image);
    try {
      await storeImage(stores.images, asset);
      await batch(stores.db, [attachAsset(organizationId, id, asset), countImage(organizationId, asset)]);
    } catch (error) {
      report({ attaching: asset.path }, error);
      await rollBack(stores, authorship, asset);
      return refusalRaised(error) ?? refuse("storage_unavailable");
    }
  }
  return { id, share_url: made.share_url };
}

/**
 * Any refusal of the rows by the database is a 422 (specification 4.2). If the database cannot be asked, it stays a
 * 500.
 */
function refuseInsert(error: unknown, id: string): Refusal {
  if (!/SQLITE_(?!BUSY|INTERRUPT)/.test(String(error))) throw error;
  const raised = refusalRaised(error);
  if (!raised) report({ inserting: id }, error);
  return raised ?? refuse("insert_failed");
}

const byId = (organizationId: string, id: string) =>
  and(eq(table.id, id), eq(table.organization_id, organizationId));

const attachAsset = (organizationId: string, id: string, { path }: Asset): Query<void> =>
  statement(build.update(table).set({ asset_path: path }).where(byId(organizationId, id)));

/**
 * Removes the row, whose version a trigger removes, then the image. If the row cannot be removed, the caller answers
 * 500. The image may have been counted, because the answer of a write that took effect can be lost.
 */
async function rollBack({ db, images }: Stores, authorship: Authorship, asset: Asset) {
  const { id, organizationId } = authorship;
  await batch(db, [
    statement(build.delete(table).where(byId(organizationId, id))),
    auditRollBack(authorship),
    uncountImage(organizationId, asset),
  ]);
  await removeImage(images, asset.path).catch((error) => {
    report({ left: asset.path }, error);
  });
}

/** Goes behind the removal. The row left an entry when it was made, so the audit log records both. */
const auditRollBack = ({ id, organizationId, actorId, apiTokenId }: Authorship): Query<void> => {
  const entry = { organization_id: organizationId, subject_id: id, api_token_id: apiTokenId };
  const line = { ...entry, action: "deliverable.rolled_back", actor: sql`${members.email}` };
  const actor = owned(members, organizationId, actorId);
  return statement(insertSelect(auditLog, line, sql`FROM ${members} WHERE ${actor}`));
};
