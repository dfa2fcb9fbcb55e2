import { backupLimits } from "../../contract/backup-limits.ts";
import { inParallel } from "../../platform/in-parallel.ts";
import { report } from "../../platform/log.ts";
import { isThumbnail } from "../images/asset.ts";
import type { Services } from "../services.ts";

/**
 * Copies images for the nightly backups. Each image is copied only once, to `images/`, because its name contains
 * a digest of its content. Thumbnails are left out. Each backup lists its images; the copy of a removed image is
 * deleted together with the last backup that lists it.
 */

export const copiesFolder = "images/";

/** A line in a backup's image list. */
export interface ListedImage {
  path: string;
  bytes: number;
  sha256: string | null;
  content_type: string | null;
}

type Uses = Pick<Services, "db" | "images" | "backups">;

/**
 * Compares one range of both buckets, copies images that are missing from the backups, and records images that were
 * erased. Returns the list's lines and the key after which the next range starts, or null at the end.
 */
export async function copyImages(
  { db, images, backups }: Uses,
  day: string,
  after: string | null,
): Promise<{ lines: string; last: string | null }> {
  const limit = backupLimits.images;
  const [present, copied] = await Promise.all([
    images.list({ limit, include: ["httpMetadata"], ...(after && { startAfter: after }) }),
    backups.list({ limit, prefix: copiesFolder, ...(after && { startAfter: copiesFolder + after }) }),
  ]);
  const copies = copied.objects.map(({ key }) => key.slice(copiesFolder.length));
  const ends = [present.truncated && present.objects.at(-1)?.key, copied.truncated && copies.at(-1)];
  const last = ends.filter((end) => typeof end === "string").sort()[0] ?? null;
  const isInStretch = (path: string) => last === null || path <= last;
  const found = present.objects.filter(({ key }) => isInStretch(key) && !isThumbnail(key));
  const has = new Set(copies.filter(isInStretch));
  const listed = await inParallel(backupLimits.imagesAtOnce, found, async (object) =>
    has.has(object.key) || (await copy({ images, backups }, object.key)) ? [lineOf(object)] : [],
  );
  const paths = new Set(found.map(({ key }) => key));
  await noteErased(
    db,
    day,
    [...has].filter((path) => !paths.has(path)),
    [...paths],
  );
  return { lines: listed.flat().join(""), last };
}

/** Returns false if the image was erased after it was listed. */
async function copy({ images, backups }: Pick<Uses, "images" | "backups">, path: string): Promise<boolean> {
  const object = await images.get(path);
  if (!object) return false;
  const { sha256 } = object.checksums;
  await backups.put(copiesFolder + path, object.body, {
    onlyIf: new Headers({ "If-None-Match": "*" }),
    ...(sha256 && { sha256 }),
    ...(object.httpMetadata && { httpMetadata: object.httpMetadata }),
  });
  return true;
}

function lineOf({ key, size, checksums, httpMetadata }: R2Object): string {
  const line: ListedImage = {
    path: key,
    bytes: size,
    sha256: checksums.toJSON().sha256 ?? null,
    content_type: httpMetadata?.contentType ?? null,
  };
  return `${JSON.stringify(line)}\n`;
}

/**
 * Records the first night without each erased image. If an image has come back with an imported workspace, its record
 * is deleted.
 */
const noteErased = (db: D1Database, day: string, erased: string[], present: string[]) =>
  db.batch([
    db
      .prepare(
        "INSERT INTO erased_images (path, day) SELECT value, ? FROM json_each(?) WHERE true ON CONFLICT DO NOTHING",
      )
      .bind(day, JSON.stringify(erased)),
    db
      .prepare("DELETE FROM erased_images WHERE path IN (SELECT value FROM json_each(?))")
      .bind(JSON.stringify(present)),
  ]);

/** Deletes some of the copies that no backup lists any more. Returns whether there may be more. */
export async function forgetErased({ db, backups }: Pick<Uses, "db" | "backups">): Promise<boolean> {
  const { results } = await db
    .prepare("SELECT path FROM erased_images WHERE day <= date('now', ?) LIMIT ?")
    .bind(`-${backupLimits.expireDays} days`, backupLimits.images)
    .all<{ path: string }>();
  const paths = results.map(({ path }) => path);
  if (paths.length === 0) return false;
  try {
    await backups.delete(paths.map((path) => copiesFolder + path));
  } catch (error) {
    // An object lock that lasts longer than documented must not prevent the backup from finishing.
    report({ failed: "forget erased images" }, error);
    return false;
  }
  await db
    .prepare("DELETE FROM erased_images WHERE path IN (SELECT value FROM json_each(?))")
    .bind(JSON.stringify(paths))
    .run();
  return paths.length === backupLimits.images;
}
