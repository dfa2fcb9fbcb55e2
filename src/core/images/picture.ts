import { report } from "../../platform/log.ts";
import type { VersionPicture } from "../../platform/mail.ts";
import { withTimeout } from "../../platform/timeout.ts";
import { pictureOf } from "./asset.ts";

/** A picture keeps its image's aspect ratio, and is never larger than the image. */
const sizes = {
  /** The width of an e-mail, and a height that keeps its button visible without scrolling. */
  mail: { width: 560, height: 840 },
  /** The largest size that link previews use. */
  preview: { width: 1200, height: 1200 },
} as const;

/** The e-mail, its picture and the attempts to record it all end before the claim's lease does. */
const timeLimitMs = 3_000;

/**
 * Thumbnails of a version's image for e-mails and link previews. The first use creates the thumbnail and stores
 * it in the bucket; later uses read it. Null if it cannot be made; the e-mail or preview then goes without.
 */
export const picturesBy =
  (bucket: R2Bucket, transforms: ImagesBinding): VersionPicture =>
  async (imagePath, size) => {
    const path = pictureOf(imagePath, size);
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
  // If the workspace was erased meanwhile, its images are gone, and the erasure did not see this thumbnail.
  if (!(await bucket.head(imagePath))) await bucket.delete(path);
  return picture;
}
