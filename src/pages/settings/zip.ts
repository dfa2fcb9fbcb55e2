import { Zip, ZipPassThrough } from "fflate";

/** A chunk of a file. A file's chunks are consecutive. */
export interface FilePart {
  file: string;
  bytes: Uint8Array;
}

const nothing = new Uint8Array();

/** Writes an uncompressed ZIP file of less than 4 GB. Holds only one part and the list of names in memory. */
export async function* zipped(parts: AsyncIterable<FilePart>): AsyncGenerator<Uint8Array> {
  const written: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    written.push(bytes);
  });
  let open: ZipPassThrough | undefined;
  for await (const { file, bytes } of parts) {
    if (open?.filename !== file) {
      open?.push(nothing, true);
      open = new ZipPassThrough(file);
      zip.add(open);
    }
    open.push(bytes);
    yield* written.splice(0);
  }
  open?.push(nothing, true);
  zip.end();
  yield* written.splice(0);
}
