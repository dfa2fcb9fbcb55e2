/** Downloads backups that are missing from a folder, and deletes those that the bucket has expired. */
import { backupLimits } from "../../src/contract/backup-limits.ts";
import { copiesFolder } from "../../src/core/operator/copy-images.ts";
import { inParallel } from "../../src/platform/in-parallel.ts";
import { type Ask, callsAtOnce, progressOf } from "./connect.ts";
import type { BackupFolder } from "./folder.ts";

interface BackupFile {
  name: string;
  bytes: number;
}

interface Pulled {
  nights: string[];
  /** New files, and their total size. */
  files: number;
  bytes: number;
  removed: { nights: number; images: number };
}

const endOf = (day: string) => `${day}/pages`;

/** The most recent day that the bucket has already expired. */
const lastGone = (nowMs = Date.now()) =>
  new Date(nowMs - backupLimits.expireDays * 24 * 3_600_000).toISOString().slice(0, 10);

/** Skips existing files, so that an interrupted pull can resume. */
export async function pullBackup(ask: Ask, folder: BackupFolder): Promise<Pulled> {
  const files = await listed(ask);
  const names = new Set(files.map(({ name }) => name));
  const dayOf = ({ name }: BackupFile) => name.slice(0, name.indexOf("/"));
  const ofNights = files.filter((file) => names.has(endOf(dayOf(file))) && dayOf(file) > lastGone());
  const isEnd = (file: BackupFile) => file.name === endOf(dayOf(file));
  const brought = [
    await bring(
      ask,
      folder,
      ofNights.filter((file) => !isEnd(file)),
      "files of nights",
    ),
    await bring(ask, folder, await imagesOf(folder, ofNights.filter(isEnd).map(dayOf), files), "images"),
    await bring(ask, folder, ofNights.filter(isEnd), "nights"),
  ].flat();
  const removed = await folder.forget(lastGone());
  const bytes = brought.reduce((sum, file) => sum + file.bytes, 0);
  return { nights: await folder.nights(), files: brought.length, bytes, removed };
}

async function listed(ask: Ask): Promise<BackupFile[]> {
  const all: BackupFile[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page: { files: BackupFile[]; next: string | null } = await ask("list-backup-files", {
      ...(after && { after }),
    });
    all.push(...page.files);
    after = page.next;
  }
  return all;
}

/** The images listed by these nights that are still in the bucket. */
async function imagesOf(folder: BackupFolder, days: string[], files: BackupFile[]): Promise<BackupFile[]> {
  const wanted = new Set<string>();
  for (const day of days) for (const { path } of await folder.imagesOf(day)) wanted.add(copiesFolder + path);
  return files.filter(({ name }) => wanted.has(name));
}

/** Downloads the missing files and returns their names. */
async function bring(
  ask: Ask,
  folder: BackupFolder,
  files: BackupFile[],
  what: string,
): Promise<BackupFile[]> {
  const isThere = await inParallel(callsAtOnce, files, ({ name, bytes }) => folder.has(name, bytes));
  const lacking = files.filter((_, index) => !isThere[index]);
  const tell = progressOf(what, lacking.length);
  await inParallel(callsAtOnce, lacking, async (file) => {
    await folder.write(file.name, await read(ask, file));
    tell();
  });
  return lacking;
}

async function read(ask: Ask, { name, bytes }: BackupFile): Promise<Uint8Array> {
  const content = new Uint8Array(bytes);
  for (let offset = 0; offset < bytes; ) {
    const part: { base64: string; bytes: number } = await ask("read-backup-file", { name, offset });
    const read = Buffer.from(part.base64, "base64");
    if (part.bytes !== bytes || read.length === 0) throw new Error(`${name} changed while it was read`);
    content.set(read, offset);
    offset += read.length;
  }
  return content;
}
