/** The folder that an export is written into: each step puts a part behind a file, so that none is held whole. */
import { mkdir, open, readdir } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";

/** Names and addresses of people stand in it: they are its owner's alone. */
const modes = { folder: 0o700, file: 0o600 };

export class ExportFolder {
  readonly path: string;
  readonly #files = new Set<string>();
  bytes = 0;

  constructor(out: string) {
    this.path = resolve(out);
  }

  /** Makes the folder; false if something is in it. */
  async prepare(): Promise<boolean> {
    await mkdir(this.path, { recursive: true, mode: modes.folder });
    return (await readdir(this.path)).length === 0;
  }

  async write(file: string, part: Uint8Array): Promise<void> {
    const path = join(this.path, file);
    if (!path.startsWith(this.path + sep)) throw new Error(`${file} is not in the folder`);
    await mkdir(dirname(path), { recursive: true, mode: modes.folder });
    const handle = await open(path, "a", modes.file);
    try {
      await handle.writeFile(part);
    } finally {
      await handle.close();
    }
    this.#files.add(file);
    this.bytes += part.byteLength;
  }

  get tables(): number {
    return [...this.#files].filter((file) => file.endsWith(".jsonl")).length;
  }
}
