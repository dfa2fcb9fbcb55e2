import { and, eq } from "drizzle-orm";
import { type Refusal, raisedRefusal, refuse } from "../../contract/refusal.ts";
import type { Context } from "../../core/context.ts";
import { type Asset, assetOf } from "../../core/images/asset.ts";
import { countImage, uncountImage } from "../../core/images/storage.ts";
import { type NewEntry, type Recorded, recordKnownAnswer } from "../../core/ledger/ledger.ts";
import { build, statement } from "../../db/build.ts";
import { batch, type Query, runLast } from "../../db/query.ts";
import { removeImage, storeImage } from "../../platform/images.ts";
import { report } from "../../platform/log.ts";
import { Unavailable } from "../../platform/unavailable.ts";
import type { TokenActor } from "../../workspace/tokens/principal.ts";
import { insertDeliverable, type NewRow } from "./create-deliverable.ts";
import type { CreatedDeliverable, LegacyNewDeliverable } from "./record.ts";
import { deliverables as table } from "./tables.ts";

/**
 * Creates a deliverable as the legacy route promises. Inserts the row first, with the share URL in place of a missing
 * embed_url and no image in version 1, then attaches the image. If that fails, deletes the row.
 */
export async function createLegacyDeliverable(
  context: Context<TokenActor, "db" | "images">,
  id: string,
  { image_base64: image, ...fields }: LegacyNewDeliverable,
  made: Pick<NewRow, "share_url" | "is_sample">,
  entry: NewEntry,
): Promise<Recorded<CreatedDeliverable> | Refusal> {
  const { services, organization } = context;
  const row = { ...fields, embed_url: fields.embed_url ?? made.share_url, ...made };
  const answer = { id, share_url: made.share_url };
  let recorded: Recorded<CreatedDeliverable>;
  try {
    recorded = await runLast(services.db, [
      ...insertDeliverable(context, id, row),
      recordKnownAnswer(entry, answer),
    ]);
  } catch (error) {
    return refuseInsert(error, id);
  }
  if (image) {
    const asset = assetOf(entry, image);
    try {
      await storeImage(services.images, asset);
      await batch(services.db, [attachAsset(organization.id, id, asset), countImage(organization.id, asset)]);
    } catch (error) {
      report({ attaching: asset.path }, error);
      await rollBack(context, id, asset, entry);
      return raisedRefusal(error) ?? refuse("storage_unavailable");
    }
  }
  return recorded;
}

/** Returns a 422 if the database refuses the rows (contract G5). Rethrows failures of the database itself. */
function refuseInsert(error: unknown, id: string): Refusal {
  if (error instanceof Unavailable || !/SQLITE_(?!INTERRUPT)/.test(String(error))) throw error;
  const raised = raisedRefusal(error);
  if (!raised) report({ inserting: id }, error);
  return raised ?? refuse("insert_failed");
}

const byId = (organizationId: string, id: string) =>
  and(eq(table.id, id), eq(table.organization_id, organizationId));

const attachAsset = (organizationId: string, id: string, { path }: Asset): Query<void> =>
  statement(build.update(table).set({ asset_path: path }).where(byId(organizationId, id)));

/**
 * Deletes the row (a trigger deletes its version), then the image. If the row cannot be deleted, the caller returns a
 * 500. The image may have been counted, because the response to a successful write can be lost.
 */
async function rollBack(
  { services, organization }: Context<TokenActor, "db" | "images">,
  id: string,
  asset: Asset,
  entry: NewEntry,
) {
  await batch(services.db, [
    statement(build.delete(table).where(byId(organization.id, id))),
    recordKnownAnswer({ ...entry, ...rolledBack(entry) }, {}),
    uncountImage(organization.id, asset),
  ]);
  await removeImage(services.images, asset.path).catch((error) => {
    report({ left: asset.path }, error);
  });
}

/** Builds the rollback's ledger entry. The create has an entry of its own, so the rollback gets one too. */
const rolledBack = ({ key }: NewEntry) => ({
  key: `${key}:rolled-back`,
  action: "deliverable.rolled_back",
});
