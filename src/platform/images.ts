import { within } from "./time-limit.ts";

/**
 * Storing, waiting for other versions and removing again end before the claim's lease: no retry works beside this
 * attempt.
 */
const timeLimitMs = 8_000;

/** Stores an image under its key; the bucket checks what arrived against the SHA-256. */
export async function storeImage(
  images: R2Bucket,
  image: { path: string; bytes: Uint8Array<ArrayBuffer>; contentType: string; sha256: string },
): Promise<void> {
  const { path, bytes, contentType, sha256 } = image;
  await within(timeLimitMs, images.put(path, bytes, { sha256, httpMetadata: { contentType } }));
}

export const removeImage = (images: R2Bucket, path: string): Promise<void> =>
  within(timeLimitMs, images.delete(path));
