import { and, eq } from "drizzle-orm";
import { Refusal, refuse } from "../../contract/failures.ts";
import { claimLimits } from "../../contract/limits.ts";
import { build, row } from "../../db/build.ts";
import { mapped, type Query, run } from "../../db/query.ts";
import { deliverableVersions as versions } from "../../db/schema/review.ts";
import { removeImage, storeImage } from "../../platform/images.ts";
import { report } from "../../platform/log.ts";
import type { Asset } from "./asset.ts";

export interface Stores {
  db: D1Database;
  images: R2Bucket;
}

/**
 * A removal takes 8 seconds at most. One that begins later may end after the claim's lease, when the row of a retry may
 * refer to the image already.
 */
const removableForMs = (claimLimits.leaseSeconds - 10) * 1000;

/**
 * Stores an image, then commits the rows that refer to it. If that fails, the image is removed, unless a committed row
 * refers to it or the database cannot say. Then it stays, and a retry of the request overwrites it.
 */
export async function keepImage<T>(
  stores: Stores,
  asset: Asset,
  isReferredTo: Query<boolean>,
  commit: () => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const removableUntilMs = Date.now() + removableForMs;
  const discard = () => discardImage(stores, asset, isReferredTo, removableUntilMs);
  try {
    await storeImage(stores.images, asset);
  } catch (error) {
    report({ storing: asset.path }, error);
    await discard();
    return refuse("storage_unavailable");
  }
  try {
    const committed = await commit();
    if (committed instanceof Refusal) await discard();
    return committed;
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Removes an image that no committed row refers to, while no other attempt can be about to commit one. */
async function discardImage(
  { db, images }: Stores,
  { path }: Asset,
  isReferredTo: Query<boolean>,
  removableUntilMs: number,
): Promise<void> {
  try {
    if (await run(db, isReferredTo)) return;
    if (Date.now() > removableUntilMs) return report({ left: path }, "a retry may refer to it by now");
    await removeImage(images, path);
  } catch (error) {
    report({ left: path }, error);
  }
}

export const versionRefersTo = (
  organizationId: string,
  versionId: string,
  { path }: Asset,
): Query<boolean> => {
  const { id, organization_id, asset_path } = versions;
  const where = and(eq(id, versionId), eq(organization_id, organizationId), eq(asset_path, path));
  return mapped(row({ id }, build.select({ id }).from(versions).where(where)), (found) => found !== null);
};
