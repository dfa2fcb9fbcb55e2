import { removeSomeImages } from "../platform/images.ts";

/**
 * Erasures are recorded outside the database, in the bucket, so that they are applied again after a restore
 * (after-restore.ts). A mark contains only ids.
 */

const folder = "erasures/";

interface ErasureMark {
  organizationId: string;
  /** Null: the whole workspace. */
  clientId: string | null;
}

/** Marks an erasure when it begins, so that an interrupted one is applied again, too. */
export async function markErasure(
  images: R2Bucket,
  { organizationId, clientId }: ErasureMark,
): Promise<void> {
  await images.put(`${folder}${organizationId}/${clientId ?? ""}`, "");
}

/** Some marks after a key, and the last one's key; null if there are no more. */
export async function marksBehind(
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

/** An imported workspace is not erased again. */
export const unmarkErasure = (images: R2Bucket, organizationId: string): Promise<void> =>
  images.delete(`${folder}${organizationId}/`);

/** Marks clients as erased, because an older export brings their personal data back. */
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

/** The marks of a workspace that moved are in its new cell. */
export async function removeMarks(images: R2Bucket, organizationId: string): Promise<void> {
  for (let isLast = false; !isLast; )
    ({ isLast } = await removeSomeImages(images, `${folder}${organizationId}/`));
}
