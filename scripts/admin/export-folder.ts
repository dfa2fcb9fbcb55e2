/**
 * The folder to which an export is written. Each step appends to a file, so that no complete file is held in memory.
 */
import { existsSync } from "node:fs";
import { appendFile, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { manifestFile } from "../../src/lifecycle/complete-copy.ts";

/** The files contain personal data, so only their owner may read them. */
const modes = { folder: 0o700, file: 0o600 };

/** The folder cannot be written. */
export class UnusableFolder extends Error {}

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new UnusableFolder(`out cannot be written: ${(error as Error).message}`);
  }
}

/** Where a command stopped. It includes the export's fields, so that only the same command can continue. */
export interface Progress {
  asked: string;
  position: string;
  sums: Record<string, number>;
}

/** Exists while an export is in progress. */
const progressFile = "export-under-way.json";

const imagesFolder = "images/";

export class ExportFolder {
  readonly path: string;
  /** The files that a later step may append to, with their sizes. */
  #sizes = new Map<string, number>();
  bytes = 0;

  constructor(out: string) {
    this.path = resolve(out);
  }

  /** Whether the folder is empty, does not exist yet, or contains an export in progress, which can continue. */
  isFree(): Promise<boolean> {
    return onDisk(async () => {
      const found = existsSync(this.path) ? await readdir(this.path) : [];
      return found.length === 0 || found.includes(progressFile);
    });
  }

  /**
   * Removes what a killed command wrote after its last position, and returns that position, or null for a new export.
   * Returns a message if the folder contains another export.
   */
  async goOn(asked: string): Promise<Progress | null | string> {
    const text = await readFile(join(this.path, progressFile), "utf8").catch(() => null);
    if (text === null) return null;
    const { sizes, bytes, ...progress } = JSON.parse(text);
    if (progress.asked !== asked) return `another export is under way in ${this.path}`;
    for (const [file, size] of sizes) await onDisk(() => truncate(join(this.path, file), size));
    this.#sizes = new Map(sizes);
    this.bytes = bytes;
    return progress;
  }

  /** Stores where the next step begins. */
  async keep(progress: Progress): Promise<void> {
    const last = [...this.#sizes.keys()].at(-1);
    for (const file of this.#sizes.keys())
      if (file.startsWith(imagesFolder) && file !== last) this.#sizes.delete(file);
    const kept = JSON.stringify({ ...progress, sizes: [...this.#sizes], bytes: this.bytes });
    const path = join(this.path, progressFile);
    if (!existsSync(this.path)) return;
    await onDisk(async () => {
      await writeFile(`${path}.new`, kept, { mode: modes.file });
      await rename(`${path}.new`, path);
    });
  }

  end(): Promise<void> {
    return onDisk(() => rm(join(this.path, progressFile), { force: true }));
  }

  async write(file: string, part: Uint8Array): Promise<void> {
    const path = join(this.path, file);
    if (!path.startsWith(this.path + sep)) throw new Error(`${file} is not in the folder`);
    await onDisk(async () => {
      await mkdir(dirname(path), { recursive: true, mode: modes.folder });
      // Overwrites what a killed step has left in a file.
      const flag = this.#sizes.has(file) ? "a" : "w";
      await appendFile(path, part, { mode: modes.file, flag });
    });
    const size = this.#sizes.get(file) ?? 0;
    this.#sizes.delete(file);
    this.#sizes.set(file, size + part.byteLength);
    this.bytes += part.byteLength;
  }

  get tables(): number {
    return [...this.#sizes.keys()].filter((file) => file.endsWith(".jsonl") && file !== manifestFile).length;
  }
}
