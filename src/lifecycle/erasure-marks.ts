import { removeSomeImages } from "../platform/images.ts";

/**
 * Erasures are recorded in the bucket, outside the database, so that they can be applied again after a restore
 * (after-restore.ts). A marker contains only ids.
 */

const folder = "erasures/";

interface ErasureMark {
  organizationId: string;
  /** Null to erase the whole workspace. */
  clientId: string | null;
}

/** Marks an erasure when it begins, so that an interrupted one is applied again too. */
export async function markErasure(
  images: R2Bucket,
  { organizationId, clientId }: ErasureMark,
): Promise<void> {
  await images.put(`${folder}${organizationId}/${clientId ?? ""}`, "");
}

/** Reads some markers after a key. `last` is the last marker's key, or null if there are no more. */
export async function marksAfter(
  images: R2Bucket,
  key: string,
  limit: number,
): Promise<{ marks: ErasureMark[]; last: string | null }> {
  const { objects, truncated } = await images.list({
    prefix: folder,
    limit,
    ...(key && { startAfter: key }),
  });
  const marks = objects.map((object) => {
    const [organizationId = "", clientId = ""] = object.key.slice(folder.length).split("/");
    return { organizationId, clientId: clientId || null };
  });
  return { marks, last: truncated ? (objects.at(-1)?.key ?? null) : null };
}

export const hasErasureBegun = async (images: R2Bucket, organizationId: string): Promise<boolean> =>
  (await images.head(`${folder}${organizationId}/`)) !== null;

/** Removes a workspace's marker, so that an imported workspace is not erased again. */
export const unmarkErasure = (images: R2Bucket, organizationId: string): Promise<void> =>
  images.delete(`${folder}${organizationId}/`);

/** Returns the ids of erased clients, because importing an older export would bring back their personal data. */
export async function erasedClients(images: R2Bucket, organizationId: string): Promise<string[]> {
  const prefix = `${folder}${organizationId}/`;
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const found = await images.list({ prefix, ...(cursor && { cursor }) });
    ids.push(...found.objects.map(({ key }) => key.slice(prefix.length)).filter((id) => id !== ""));
    if (!found.truncated) return ids;
    cursor = found.cursor;
  }
}

/** Removes the markers for a workspace that has moved, because its new cell has them. */
export async function removeMarks(images: R2Bucket, organizationId: string): Promise<void> {
  for (let isLast = false; !isLast; )
    ({ isLast } = await removeSomeImages(images, `${folder}${organizationId}/`));
}
