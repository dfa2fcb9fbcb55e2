/**
 * A local folder of nightly backups, with the same file names as in the backup bucket. A backup is complete once its
 * `pages` file exists, because that file is written last.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { gunzipSync } from "node:zlib";
import { copiesFolder, type ListedImage } from "../../src/core/operator/copy-images.ts";

/** The files contain the whole database, so only their owner may read them. */
const modes = { folder: 0o700, file: 0o600 };

const aDay = /^\d{4}-\d\d-\d\d$/;

export class BackupFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
  }

  /** The path of a file. An erased workspace's marker ends with a slash, so it needs a different file name. */
  fileOf(name: string): string {
    const file = join(this.path, name.endsWith("/") ? `${name}workspace` : name);
    if (!file.startsWith(this.path + sep)) throw new Error(`${name} is not in the folder`);
    return file;
  }

  imageOf = ({ path }: ListedImage): string => this.fileOf(copiesFolder + path);

  async has(name: string, bytes: number): Promise<boolean> {
    const found = await stat(this.fileOf(name)).catch(() => null);
    return found?.size === bytes;
  }

  async write(name: string, content: Uint8Array): Promise<void> {
    const file = this.fileOf(name);
    await mkdir(dirname(file), { recursive: true, mode: modes.folder });
    await writeFile(`${file}.part`, content, { mode: modes.file });
    await rename(`${file}.part`, file);
  }

  /** The nights that have any files in the folder, newest first. */
  async #days(): Promise<string[]> {
    const names = existsSync(this.path) ? await readdir(this.path) : [];
    return names
      .filter((name) => aDay.test(name))
      .sort()
      .reverse();
  }

  async nights(): Promise<string[]> {
    return (await this.#days()).filter((day) => existsSync(join(this.path, day, "pages")));
  }

  /** A night's SQL, page by page, in execution order. */
  async *sqlOf(day: string): AsyncGenerator<string> {
    for (let page = Number(await readFile(join(this.path, day, "pages"), "utf8")) - 1; page >= 0; page -= 1) {
      const packed = await readFile(join(this.path, day, `${String(page).padStart(6, "0")}.sql.gz`));
      yield gunzipSync(packed).toString();
    }
  }

  async imagesOf(day: string): Promise<ListedImage[]> {
    const lists = join(this.path, day, "images");
    const images: ListedImage[] = [];
    // Releases that did not back up images wrote no lists.
    for (const list of existsSync(lists) ? (await readdir(lists)).sort() : []) {
      const lines = gunzipSync(await readFile(join(lists, list)))
        .toString()
        .split("\n");
      images.push(...lines.filter((line) => line !== "").map((line) => JSON.parse(line)));
    }
    return images;
  }

  /**
   * The images to restore with a night, plus the newest erasure markers, so that after-restore repeats erasures made
   * after that night.
   */
  async imagesFor(day: string): Promise<ListedImage[]> {
    const isMark = ({ path }: ListedImage) => path.startsWith("erasures/");
    const [newest = day] = await this.nights();
    const marks = (await this.imagesOf(newest)).filter(isMark);
    return [...(await this.imagesOf(day)).filter((image) => !isMark(image)), ...marks];
  }

  /** Describes how an image differs from its entry in the list, or undefined if it matches. */
  async wrongWith(image: ListedImage): Promise<string | undefined> {
    const bytes = await readFile(this.imageOf(image)).catch(() => null);
    if (bytes === null) return `the image ${image.path} is missing`;
    if (bytes.length !== image.bytes) return `the image ${image.path} has another size`;
    const isChanged = image.sha256 !== null && image.sha256 !== sha256Of(bytes);
    return isChanged ? `the image ${image.path} was changed (its digest differs)` : undefined;
  }

  /**
   * Deletes nights up to and including this day, except the newest complete one, and images that no remaining night
   * lists.
   */
  async forget(lastDay: string): Promise<{ nights: number; images: number }> {
    const [newest] = await this.nights();
    const gone = (await this.#days()).filter((day) => day <= lastDay && day !== newest);
    for (const day of gone) await rm(join(this.path, day), { recursive: true });
    const listed = new Set<string>();
    for (const day of await this.nights())
      for (const image of await this.imagesOf(day)) listed.add(this.imageOf(image));
    const unlisted = (await filesUnder(join(this.path, copiesFolder))).filter((file) => !listed.has(file));
    for (const file of unlisted) await rm(file);
    return { nights: gone.length, images: unlisted.length };
  }
}

const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function filesUnder(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
