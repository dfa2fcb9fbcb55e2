/** The folder that an export is written into: each step puts a part behind a file, so that none is held whole. */
import { existsSync } from "node:fs";
import { appendFile, mkdir, readdir } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { manifestFile } from "../../src/leaving/complete-copy.ts";

/** Names and addresses of people stand in it: they are its owner's alone. */
const modes = { folder: 0o700, file: 0o600 };

/** What the file system says of a folder that takes nothing. */
export class UnusableFolder extends Error {}

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new UnusableFolder(`out cannot be written: ${(error as Error).message}`);
  }
}

export class ExportFolder {
  readonly path: string;
  readonly #files = new Set<string>();
  bytes = 0;

  constructor(out: string) {
    this.path = resolve(out);
  }

  /** Whether nothing is in it, or it is not there yet: the first part makes it. */
  isEmpty(): Promise<boolean> {
    return onDisk(async () => !existsSync(this.path) || (await readdir(this.path)).length === 0);
  }

  async write(file: string, part: Uint8Array): Promise<void> {
    const path = join(this.path, file);
    if (!path.startsWith(this.path + sep)) throw new Error(`${file} is not in the folder`);
    await onDisk(async () => {
      await mkdir(dirname(path), { recursive: true, mode: modes.folder });
      await appendFile(path, part, { mode: modes.file });
    });
    this.#files.add(file);
    this.bytes += part.byteLength;
  }

  get tables(): number {
    return [...this.#files].filter((file) => file.endsWith(".jsonl") && file !== manifestFile).length;
  }
}
