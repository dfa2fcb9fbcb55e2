import { claimLimits } from "../../contract/limits.ts";
import { Refusal, refuse } from "../../contract/refusal.ts";
import { run } from "../../db/query.ts";
import { removeImage, storeImage } from "../../platform/images.ts";
import { report } from "../../platform/log.ts";
import { findEntry, type NewEntry } from "../ledger/ledger.ts";
import type { Services } from "../services.ts";
import type { Asset } from "./asset.ts";

/**
 * A removal takes at most 8 seconds. If it starts later than this, it could end after the claim's lease, when a retry's
 * row may already refer to the image.
 */
const removableForMs = (claimLimits.leaseSeconds - 10) * 1000;

/**
 * Stores an image, then commits the rows that refer to it. If the commit fails, the image is removed, unless the ledger
 * contains the request's entry or the database cannot be read. A retry overwrites an image that was left behind.
 */
export async function saveImage<T>(
  services: Pick<Services, "db" | "images">,
  asset: Asset,
  entry: NewEntry,
  commit: () => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const removableUntilMs = Date.now() + removableForMs;
  const discard = () => discardImage(services, asset, entry, removableUntilMs);
  try {
    await storeImage(services.images, asset);
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

/** Removes the image of unfinished work, unless another attempt may be about to finish it. */
async function discardImage(
  { db, images }: Pick<Services, "db" | "images">,
  { path }: Asset,
  { organizationId, key }: NewEntry,
  removableUntilMs: number,
): Promise<void> {
  try {
    if (await run(db, findEntry(organizationId, key))) return;
    if (Date.now() > removableUntilMs) return report({ left: path }, "a retry may refer to it by now");
    await removeImage(images, path);
  } catch (error) {
    report({ left: path }, error);
  }
}
