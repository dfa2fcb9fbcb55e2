/** Copies a night's images back to the image bucket, except for those that are still there. */
import { readFile } from "node:fs/promises";
import type { ListedImage } from "../../src/core/operator/copy-images.ts";
import { inParallel } from "../../src/platform/in-parallel.ts";
import { type Ask, callsAtOnce, progressOf } from "./connect.ts";
import type { BackupFolder } from "./folder.ts";

interface Pushed {
  day: string;
  /** The night's images and erasure markers, and how many were missing from the bucket. */
  images: number;
  stored: number;
}

export async function nightOf(folder: BackupFolder, asked: string | undefined): Promise<string> {
  const nights = await folder.nights();
  const day = asked ?? nights[0];
  if (day === undefined || !nights.includes(day))
    throw new Error(`${folder.path} has no complete backup${asked === undefined ? "" : ` of ${asked}`}`);
  return day;
}

/** The images to restore with a night, each verified against the list. */
export async function wholeImages(folder: BackupFolder, day: string): Promise<ListedImage[]> {
  const images = await folder.imagesFor(day);
  const [wrong] = (await inParallel(callsAtOnce, images, (image) => folder.wrongWith(image))).filter(Boolean);
  if (wrong) throw new Error(`This folder is incomplete: ${wrong}`);
  return images;
}

/** Uploads nothing unless every image is intact. Skips images that are already in the bucket. */
export async function pushBackup(ask: Ask, folder: BackupFolder, asked?: string): Promise<Pushed> {
  const day = await nightOf(folder, asked);
  const images = await wholeImages(folder, day);
  const tell = progressOf("images", images.length);
  const stored = await inParallel(callsAtOnce, images, async (image) => {
    const isNew = await push(ask, folder, image);
    tell();
    return isNew;
  });
  return { day, images: images.length, stored: stored.filter(Boolean).length };
}

async function push(ask: Ask, folder: BackupFolder, image: ListedImage): Promise<boolean> {
  const { path, sha256, content_type } = image;
  if ((await ask<{ stored: boolean }>("restore-image", { path })).stored) return false;
  const base64 = (await readFile(folder.imageOf(image))).toString("base64");
  const known = { ...(sha256 !== null && { sha256 }), ...(content_type !== null && { content_type }) };
  await ask("restore-image", { path, base64, ...known });
  return true;
}
