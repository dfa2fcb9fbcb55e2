import { report } from "../../platform/log.ts";
import type { VersionPicture } from "../../platform/mail.ts";
import { withTimeout } from "../../platform/timeout.ts";
import { thumbnailPath } from "./asset.ts";

/** A thumbnail keeps the image's aspect ratio and is never larger than the image. */
const sizes = {
  /** The width of an e-mail, and a height that keeps the button visible without scrolling. */
  mail: { width: 560, height: 840 },
  /** The largest size that link previews use. */
  preview: { width: 1200, height: 1200 },
} as const;

/**
 * This is short enough that the thumbnail, the e-mail and the attempts to record it all end before the claim's lease
 * does.
 */
const timeLimitMs = 3_000;

/**
 * Returns the thumbnail of a version's image for an e-mail or a link preview. The first call creates it and stores it
 * in the bucket. Returns null if that fails, and the e-mail or preview then has no picture.
 */
export const thumbnailsIn =
  (bucket: R2Bucket, transforms: ImagesBinding): VersionPicture =>
  async (imagePath, size) => {
    const path = thumbnailPath(imagePath, size);
    const read = async () =>
      (await (await bucket.get(path))?.arrayBuffer()) ?? make(bucket, transforms, { imagePath, path, size });
    try {
      return await withTimeout(timeLimitMs, read());
    } catch (error) {
      report({ picturing: imagePath }, error);
      return null;
    }
  };

async function make(
  bucket: R2Bucket,
  transforms: ImagesBinding,
  { imagePath, path, size }: { imagePath: string; path: string; size: keyof typeof sizes },
): Promise<ArrayBuffer | null> {
  const image = await bucket.get(imagePath);
  if (!image) return null;
  const made = await transforms
    .input(image.body)
    .transform({ ...sizes[size], fit: "scale-down" })
    .output({ format: "image/jpeg", quality: 80, background: "#ffffff" });
  const picture = await made.response().arrayBuffer();
  await bucket.put(path, picture, { httpMetadata: { contentType: "image/jpeg" } });
  // If the workspace has been erased in the meantime, the erasure missed this thumbnail.
  if (!(await bucket.head(imagePath))) await bucket.delete(path);
  return picture;
}
