/** A part of a file; parts of one file follow each other. */
export interface FilePart {
  file: string;
  bytes: Uint8Array;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The CRC-32 of what was read before, inverted, and of these bytes. */
function crcWith(crc: number, bytes: Uint8Array): number {
  let value = crc;
  for (const byte of bytes) value = (value >>> 8) ^ (crcTable[(value ^ byte) & 255] ?? 0);
  return value;
}

interface Entry {
  name: Uint8Array;
  offset: number;
  size: number;
  /** Inverted until the entry ends. */
  crc: number;
}

/** Fields of a header: 16 bits, or 32 where it is said. */
function header(fields: readonly (number | { long: number })[]): Uint8Array {
  const bytes: number[] = [];
  for (const field of fields) {
    const [value, width] = typeof field === "number" ? [field, 2] : [field.long, 4];
    for (let at = 0; at < width; at += 1) bytes.push((value >>> (8 * at)) & 255);
  }
  return new Uint8Array(bytes);
}

const version = 20;
/** Sizes follow the content, and names are UTF-8. */
const flags = 0x0808;
/** 1 January 1980: the format has no zero. */
const [noTime, noDay] = [0, 0x21];

const begins = ({ name }: Entry) =>
  header([
    { long: 0x04034b50 },
    ...[version, flags, 0, noTime, noDay],
    ...[{ long: 0 }, { long: 0 }, { long: 0 }],
    ...[name.length, 0],
  ]);

const sums = ({ crc, size }: Entry) => [{ long: ~crc >>> 0 }, { long: size }, { long: size }];

const listed = (entry: Entry) =>
  header([
    { long: 0x02014b50 },
    ...[version, version, flags, 0, noTime, noDay],
    ...sums(entry),
    ...[entry.name.length, 0, 0, 0, 0],
    ...[{ long: 0 }, { long: entry.offset }],
  ]);

const ends = (entries: number, size: number, offset: number) =>
  header([{ long: 0x06054b50 }, 0, 0, entries, entries, { long: size }, { long: offset }, 0]);

/**
 * A ZIP file of files whose sizes nobody knows beforehand, uncompressed. Memory holds one part and the list of names;
 * everything together stays below 4 GB, and there are fewer than 65,536 files.
 */
export async function* zipped(parts: AsyncIterable<FilePart>): AsyncGenerator<Uint8Array> {
  const entries: Entry[] = [];
  let offset = 0;
  let open: { file: string; entry: Entry } | undefined;
  const counted = (bytes: Uint8Array) => {
    offset += bytes.length;
    return bytes;
  };
  const close = (entry: Entry) => counted(header([{ long: 0x08074b50 }, ...sums(entry)]));
  for await (const { file, bytes } of parts) {
    if (open?.file !== file) {
      if (open) yield close(open.entry);
      const entry = { name: new TextEncoder().encode(file), offset, size: 0, crc: 0xffffffff };
      entries.push(entry);
      open = { file, entry };
      yield counted(begins(entry));
      yield counted(entry.name);
    }
    open.entry.crc = crcWith(open.entry.crc, bytes);
    open.entry.size += bytes.length;
    yield counted(bytes);
  }
  if (open) yield close(open.entry);
  const list = offset;
  for (const entry of entries) {
    yield counted(listed(entry));
    yield counted(entry.name);
  }
  yield ends(entries.length, offset - list, list);
}
