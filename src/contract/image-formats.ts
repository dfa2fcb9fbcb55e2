/** The image formats that can be stored. The bytes decide; a declared type or a file name is never trusted. */
export interface ImageFormat {
  contentType: string;
  extension: string;
  /** Width and height in the header; undefined if the bytes do not begin like this format. */
  sizeOf(bytes: Uint8Array): Size | undefined;
}

type Size = readonly [width: number, height: number];

const textAt = (bytes: Uint8Array, offset: number, length: number) =>
  String.fromCharCode(...bytes.subarray(offset, offset + length));

/** Read whole numbers from the bytes. Behind the end they read 0, which is not a size. */
const byteAt = (bytes: Uint8Array, offset: number) => bytes[offset] ?? 0;
const bigEndian16 = (bytes: Uint8Array, offset: number) =>
  byteAt(bytes, offset) * 0x100 + byteAt(bytes, offset + 1);
const littleEndian16 = (bytes: Uint8Array, offset: number) =>
  byteAt(bytes, offset) + byteAt(bytes, offset + 1) * 0x100;
const bigEndian32 = (bytes: Uint8Array, offset: number) =>
  bigEndian16(bytes, offset) * 0x10000 + bigEndian16(bytes, offset + 2);

/** The signature, then the header chunk of 13 bytes and its checksum. */
function sizeOfPng(bytes: Uint8Array): Size | undefined {
  const isPng =
    bytes.length >= 33 &&
    textAt(bytes, 0, 8) === "\x89PNG\r\n\x1a\n" &&
    bigEndian32(bytes, 8) === 13 &&
    textAt(bytes, 12, 4) === "IHDR";
  return isPng ? [bigEndian32(bytes, 16), bigEndian32(bytes, 20)] : undefined;
}

/** Start of image, then segments; a frame header, which comes before the first scan, gives the size. */
function sizeOfJpeg(bytes: Uint8Array): Size | undefined {
  if (textAt(bytes, 0, 2) !== "\xff\xd8") return undefined;
  let at = 2;
  while (byteAt(bytes, at) === 0xff) {
    const marker = byteAt(bytes, at + 1);
    if (marker === 0xff) {
      at += 1; // a fill byte
      continue;
    }
    const length = bigEndian16(bytes, at + 2);
    if (marker < 0xc0 || marker === 0xda || length < 2) return undefined;
    if (isFrameHeader(marker)) {
      return bytes.length >= at + 2 + length
        ? [bigEndian16(bytes, at + 7), bigEndian16(bytes, at + 5)]
        : undefined;
    }
    at += 2 + length;
  }
  return undefined;
}

/** SOF0 to SOF15, but for the three markers between them that are tables: DHT, JPG and DAC. */
const isFrameHeader = (marker: number) => marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** The signature, then the logical screen descriptor. */
function sizeOfGif(bytes: Uint8Array): Size | undefined {
  const isGif = bytes.length >= 13 && ["GIF87a", "GIF89a"].includes(textAt(bytes, 0, 6));
  return isGif ? [littleEndian16(bytes, 6), littleEndian16(bytes, 8)] : undefined;
}

/** A RIFF file of the form WEBP; each of the three chunks that can come first gives the size in its own way. */
function sizeOfWebp(bytes: Uint8Array): Size | undefined {
  if (bytes.length < 30 && !(bytes.length >= 25 && textAt(bytes, 12, 4) === "VP8L")) return undefined;
  if (textAt(bytes, 0, 4) !== "RIFF" || textAt(bytes, 8, 4) !== "WEBP") return undefined;
  const low14 = 0x3fff;
  switch (textAt(bytes, 12, 4)) {
    case "VP8 ": {
      const isKeyFrame = (byteAt(bytes, 20) & 1) === 0 && textAt(bytes, 23, 3) === "\x9d\x01\x2a";
      return isKeyFrame ? [littleEndian16(bytes, 26) & low14, littleEndian16(bytes, 28) & low14] : undefined;
    }
    case "VP8L": {
      const sizes = littleEndian16(bytes, 21) + littleEndian16(bytes, 23) * 0x10000;
      const isLossless = byteAt(bytes, 20) === 0x2f && sizes >>> 29 === 0;
      return isLossless ? [1 + (sizes & low14), 1 + ((sizes >>> 14) & low14)] : undefined;
    }
    case "VP8X":
      return [1 + littleEndian24(bytes, 24), 1 + littleEndian24(bytes, 27)];
    default:
      return undefined;
  }
}

const littleEndian24 = (bytes: Uint8Array, offset: number) =>
  littleEndian16(bytes, offset) + byteAt(bytes, offset + 2) * 0x10000;

export const imageFormats = [
  { contentType: "image/png", extension: "png", sizeOf: sizeOfPng },
  { contentType: "image/jpeg", extension: "jpg", sizeOf: sizeOfJpeg },
  { contentType: "image/gif", extension: "gif", sizeOf: sizeOfGif },
  { contentType: "image/webp", extension: "webp", sizeOf: sizeOfWebp },
] as const satisfies readonly ImageFormat[];

/** The format of some bytes; undefined if they are not an image with a width and a height: it cannot be stored. */
export const imageFormatOf = (bytes: Uint8Array): ImageFormat | undefined =>
  imageFormats.find(({ sizeOf }) => {
    const [width, height] = sizeOf(bytes) ?? [0, 0];
    return width > 0 && height > 0;
  });
