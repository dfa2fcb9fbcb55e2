/** The image formats that can be stored, told by their bytes: a declared type or a file name is never trusted. */
export interface ImageFormat {
  contentType: string;
  extension: string;
  /** Whether the bytes begin as this format does, its first structure after the signature included. */
  begins(bytes: Uint8Array): boolean;
}

const textAt = (bytes: Uint8Array, offset: number, length: number) =>
  String.fromCharCode(...bytes.subarray(offset, offset + length));

const byteAt = (bytes: Uint8Array, offset: number) => bytes[offset] ?? 0;

const uint32At = (bytes: Uint8Array, offset: number) =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(offset);

export const imageFormats = [
  {
    contentType: "image/png",
    extension: "png",
    // The header chunk comes first and gives a size.
    begins: (bytes) =>
      bytes.length >= 33 &&
      textAt(bytes, 0, 8) === "\x89PNG\r\n\x1a\n" &&
      textAt(bytes, 12, 4) === "IHDR" &&
      uint32At(bytes, 16) > 0 &&
      uint32At(bytes, 20) > 0,
  },
  {
    contentType: "image/jpeg",
    extension: "jpg",
    // Start of image, then a marker that opens a segment.
    begins: (bytes) =>
      bytes.length >= 6 &&
      textAt(bytes, 0, 3) === "\xff\xd8\xff" &&
      byteAt(bytes, 3) >= 0xc0 &&
      byteAt(bytes, 3) < 0xff,
  },
  {
    contentType: "image/gif",
    extension: "gif",
    // The logical screen descriptor follows the signature.
    begins: (bytes) => bytes.length >= 13 && ["GIF87a", "GIF89a"].includes(textAt(bytes, 0, 6)),
  },
  {
    contentType: "image/webp",
    extension: "webp",
    // A RIFF file of the form WEBP whose first chunk is one of its three.
    begins: (bytes) =>
      bytes.length >= 20 &&
      textAt(bytes, 0, 4) === "RIFF" &&
      textAt(bytes, 8, 4) === "WEBP" &&
      ["VP8 ", "VP8L", "VP8X"].includes(textAt(bytes, 12, 4)),
  },
] as const satisfies readonly ImageFormat[];

/** The format of some bytes; undefined: none that can be stored. */
export const imageFormatOf = (bytes: Uint8Array): ImageFormat | undefined =>
  imageFormats.find((format) => format.begins(bytes));
