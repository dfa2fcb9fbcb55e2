import { withTimeout } from "./timeout.ts";

/**
 * Storing an image, waiting for other versions and removing the image must all end before the claim's lease, so that no
 * retry runs at the same time.
 */
const timeLimitMs = 8_000;

/** Stores an image under its key. The bucket verifies the received bytes against their SHA-256. */
export async function storeImage(
  images: R2Bucket,
  image: { path: string; bytes: Uint8Array<ArrayBuffer>; contentType: string; sha256: string },
): Promise<void> {
  const { path, bytes, contentType, sha256 } = image;
  await withTimeout(timeLimitMs, images.put(path, bytes, { sha256, httpMetadata: { contentType } }));
}

export const removeImage = (images: R2Bucket, path: string): Promise<void> =>
  withTimeout(timeLimitMs, images.delete(path));

/** Lists the next images in a folder after this path. */
export async function imagesAfter(
  images: R2Bucket,
  folder: string,
  path: string,
  limit: number,
): Promise<R2Object[]> {
  const { objects } = await images.list({ prefix: folder, limit, ...(path && { startAfter: path }) });
  return objects;
}

/** Reads part of an image, with the image's full size; null if the image is gone. */
export async function readPart(images: R2Bucket, path: string, range: { offset: number; length: number }) {
  const object = await images.get(path, { range });
  return (
    object && {
      bytes: new Uint8Array(await object.arrayBuffer()),
      sizeBytes: object.size,
      sha256: object.checksums.toJSON().sha256 ?? null,
      contentType: object.httpMetadata?.contentType ?? null,
    }
  );
}

/** The maximum number of objects that R2 lists or deletes in one call. */
const imagesAtATime = 1000;

/** Removes some images from a folder. Returns whether they were the last. */
export async function removeSomeImages(images: R2Bucket, folder: string) {
  const { objects, truncated } = await images.list({ prefix: folder, limit: imagesAtATime });
  if (objects.length > 0) await images.delete(objects.map(({ key }) => key));
  return { took: objects.length, isLast: !truncated };
}
