import { isThumbnail } from "../core/images/asset.ts";
import { imagesAfter, readPart } from "../platform/images.ts";
import { inParallel } from "../platform/in-parallel.ts";

/** Limits per export step. Small images are read together, and a large image is read in parts. */
const stepLimits = {
  images: 16,
  /** The limit for all images in a step, because a call can return at most 32 MB. */
  bytes: 4 * 1024 * 1024,
  /** A Worker can have six connections open at once. */
  atOnce: 6,
};

/** Bytes per step from one image. */
export const imagePartBytes = 1024 * 1024;

interface ExportedImage {
  path: string;
  base64: string;
  bytes: number;
  sha256: string | null;
  contentType: string | null;
}

interface Read {
  images: ExportedImage[];
  /** Images completed by this step, without parts of a large image. */
  whole: ExportedImage[];
  /** The path of the last image, and how much of it has been read if there is more; null after the last image. */
  next: [string] | [string, number] | null;
}

/** Reads the images in a folder after a path, or the rest of the image at that path from `offset`. */
export async function readImages(
  bucket: R2Bucket,
  folder: string,
  path: string,
  offset: number,
): Promise<Read> {
  if (offset > 0 && path.startsWith(folder)) return readLarge(bucket, path, offset);
  const listed = await imagesAfter(bucket, folder, path, stepLimits.images);
  const found = listed.filter(({ key }) => !isThumbnail(key));
  const [first] = found;
  if (first === undefined) return { images: [], whole: [], next: null };
  if (first.size > imagePartBytes) return readLarge(bucket, first.key, 0);
  let bytes = 0;
  const end = found.findIndex(({ size }) => {
    bytes += size;
    return size > imagePartBytes || bytes > stepLimits.bytes;
  });
  const chosen = end === -1 ? found : found.slice(0, end);
  const images = await inParallel(stepLimits.atOnce, chosen, async ({ key }) => readOne(bucket, key, 0));
  const there = images.filter((image) => image !== null);
  return { images: there, whole: there, next: [chosen.at(-1)?.key ?? first.key] };
}

async function readLarge(bucket: R2Bucket, path: string, offset: number): Promise<Read> {
  const image = await readOne(bucket, path, offset);
  const read = offset + imagePartBytes;
  if (image === null) return { images: [], whole: [], next: [path] };
  const isWhole = read >= image.bytes;
  return { images: [image], whole: isWhole ? [image] : [], next: isWhole ? [path] : [path, read] };
}

/** Reads the part of an image that starts at `offset`; null if the image was erased in the meantime. */
async function readOne(bucket: R2Bucket, path: string, offset: number): Promise<ExportedImage | null> {
  const part = await readPart(bucket, path, { offset, length: imagePartBytes });
  if (!part) return null;
  const { sizeBytes, sha256, contentType } = part;
  return { path, base64: part.bytes.toBase64(), bytes: sizeBytes, sha256, contentType };
}
