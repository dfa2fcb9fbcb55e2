import { report } from "../../platform/log.ts";
import type { VersionPicture } from "../../platform/mail.ts";
import { withTimeout } from "../../platform/timeout.ts";
import { pictureOf } from "./asset.ts";

/** A picture keeps the shape of its image, and is never larger than it. */
const sizes = {
  /** The width of an e-mail, and a height that leaves its button in sight. */
  mail: { width: 560, height: 840 },
  /** The largest that programs show of a pasted link. */
  preview: { width: 1200, height: 1200 },
} as const;

/** An e-mail, its picture and the attempts to record it end before the claim's lease does. */
const timeLimitMs = 3_000;

/**
 * The small pictures of a version's image, in e-mails and link previews. The first to need one makes it and keeps it in
 * the bucket; later ones read it. Null if it cannot be made; the mail or preview then has none.
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
  // An erasure of the workspace that has removed the image meanwhile does not see the picture.
  if (!(await bucket.head(imagePath))) await bucket.delete(path);
  return picture;
}
