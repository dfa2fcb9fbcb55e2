import * as z from "zod";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import type { Services } from "../services.ts";

/** Reads raw backup files for a copy outside the account (scripts/pull-backup.ts), and restores images from it. */

export const BackupFiles = z.object({
  files: z.array(z.object({ name: z.string(), bytes: z.int() })),
  next: z
    .string()
    .nullable()
    .meta({ description: "The `after` for the next call; null after the last call" }),
});

/** Lists up to 1,000 files in name order, starting after the given one. */
export async function listBackupFiles(
  { backups }: Pick<Services, "backups">,
  after: string | undefined,
): Promise<z.output<typeof BackupFiles>> {
  const { objects, truncated } = await backups.list(after ? { startAfter: after } : {});
  const files = objects.map(({ key, size }) => ({ name: key, bytes: size }));
  return { files, next: truncated ? (files.at(-1)?.name ?? null) : null };
}

export const BackupFilePart = z.object({
  name: z.string(),
  base64: z.string(),
  bytes: z.int().meta({ description: "The size of the whole file" }),
});

/** Well below the 32 MB that a call may return. */
const partBytes = 8 * 1024 * 1024;

/** Returns up to 8 MB of a file, starting at `offset`. */
export async function readBackupFile(
  { backups }: Pick<Services, "backups">,
  name: string,
  offset: number,
): Promise<z.output<typeof BackupFilePart> | Refusal> {
  const object = await backups.get(name, { range: { offset, length: partBytes } });
  if (!object) return refuse("backup_file_not_found", { name });
  return { name, base64: new Uint8Array(await object.arrayBuffer()).toBase64(), bytes: object.size };
}

export const RestoredImage = z.object({
  path: z.string(),
  stored: z.boolean().meta({ description: "Whether the bucket has the image" }),
});

interface Image {
  path: string;
  base64?: string | undefined;
  content_type?: string | undefined;
  sha256?: string | undefined;
}

/**
 * Stores a backup image if the bucket doesn't have it yet. Without `base64`, only returns whether the bucket has it.
 */
export async function restoreImage(
  { images }: Pick<Services, "images">,
  { path, base64, content_type, sha256 }: Image,
): Promise<z.output<typeof RestoredImage>> {
  if (base64 === undefined) return { path, stored: (await images.head(path)) !== null };
  await images.put(path, Uint8Array.fromBase64(base64), {
    onlyIf: new Headers({ "If-None-Match": "*" }),
    ...(sha256 !== undefined && { sha256 }),
    ...(content_type !== undefined && { httpMetadata: { contentType: content_type } }),
  });
  return { path, stored: true };
}
