import { crc32 } from "node:zlib";
import { limits } from "./limits.ts";
import { thousands } from "./thousands.ts";

/**
 * An image format that can be stored (contract V3, V24). It is detected from the bytes, never from a declared
 * type or file name. The structure is checked to the end of the image, but nothing is decoded.
 */
export interface ImageFormat {
  contentType: string;
  extension: string;
  /** Whether the bytes start with this format's signature. */
  begins(bytes: Uint8Array): boolean;
  /** The image's size, or what is wrong with the image; undefined if the bytes are not an image in this format. */
  read(bytes: Uint8Array): Size | ImageFault | undefined;
}

type Size = readonly [width: number, height: number];

/** What is wrong with an image. Completes a sentence whose subject is the image. */
export type ImageFault = (typeof faults)[keyof typeof faults];
const faults = {
  cutOff: "is cut off",
  noPicture: "has no picture data",
  wrongChecksum: "has a PNG chunk with a wrong checksum",
  tooLong: `has more than ${thousands(limits.imageSidePixels)} pixels on a side`,
  tooLarge: `has more than ${limits.imagePixels / 1_000_000} megapixels`,
} as const;

const textAt = (bytes: Uint8Array, offset: number, length: number) =>
  String.fromCharCode(...bytes.subarray(offset, offset + length));

/** Reads integers from the bytes. Past the end, they read as 0. */
const byteAt = (bytes: Uint8Array, offset: number) => bytes[offset] ?? 0;
const bigEndian16 = (bytes: Uint8Array, offset: number) =>
  byteAt(bytes, offset) * 0x100 + byteAt(bytes, offset + 1);
const littleEndian16 = (bytes: Uint8Array, offset: number) =>
  byteAt(bytes, offset) + byteAt(bytes, offset + 1) * 0x100;
const littleEndian24 = (bytes: Uint8Array, offset: number) =>
  littleEndian16(bytes, offset) + byteAt(bytes, offset + 2) * 0x10000;
const bigEndian32 = (bytes: Uint8Array, offset: number) =>
  bigEndian16(bytes, offset) * 0x10000 + bigEndian16(bytes, offset + 2);
const littleEndian32 = (bytes: Uint8Array, offset: number) =>
  littleEndian16(bytes, offset) + littleEndian16(bytes, offset + 2) * 0x10000;

/** Reads chunks of length, type, data and checksum. The header comes first; IEND may be missing. */
function readPng(bytes: Uint8Array): Size | ImageFault | undefined {
  let size: Size | undefined;
  let pictureBytes = 0;
  for (let at = 8; at < bytes.length; ) {
    const length = bigEndian32(bytes, at);
    const end = at + 12 + length;
    if (end > bytes.length) return faults.cutOff;
    const type = textAt(bytes, at + 4, 4);
    if (!size && (type !== "IHDR" || length !== 13)) return undefined;
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bigEndian32(bytes, end - 4)) return faults.wrongChecksum;
    size ??= [bigEndian32(bytes, at + 8), bigEndian32(bytes, at + 12)];
    if (type === "IDAT") pictureBytes += length;
    if (type === "IEND") break;
    at = end;
  }
  if (!size) return faults.cutOff;
  return pictureBytes > 0 ? size : faults.noPicture;
}

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;

/** Reads segments, and the scan data after each scan header, up to the end-of-image marker. */
function readJpeg(bytes: Uint8Array): Size | ImageFault | undefined {
  let size: Size | undefined;
  let hasPicture = false;
  for (let at = 2; at < bytes.length; ) {
    const marker = byteAt(bytes, at + 1);
    if (bytes[at] !== 0xff || marker === 0xff) {
      at += 1; // a byte of a scan's data, or a fill byte
      continue;
    }
    if (marker === endOfImage) return size && hasPicture ? size : faults.noPicture;
    if (hasNoSegment(marker)) {
      at += 2;
      continue;
    }
    const length = bigEndian16(bytes, at + 2);
    const end = at + 2 + length;
    if (end > bytes.length) return faults.cutOff;
    if (length < 2 || (marker === startOfScan && !size)) return undefined;
    if (isFrameHeader(marker)) size ??= [bigEndian16(bytes, at + 7), bigEndian16(bytes, at + 5)];
    if (marker === startOfScan) hasPicture ||= bytes[end] !== 0xff || bytes[end + 1] === 0;
    at = end;
  }
  return faults.cutOff;
}

/** Whether the byte is scan data or a marker without a segment: TEM, RST0 to RST7, SOI. */
const hasNoSegment = (marker: number) => marker <= 0x01 || (marker >= 0xd0 && marker <= startOfImage);

/** Whether the marker is one of SOF0 to SOF15. Three other markers are in that range: DHT, JPG and DAC. */
const isFrameHeader = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const gifImage = 0x2c;
const gifExtension = 0x21;

/** Reads the screen, then images and extensions, each a list of blocks. The trailer may be missing. */
function readGif(bytes: Uint8Array): Size | ImageFault {
  let hasPicture = false;
  let at = 13 + colorTableBytes(byteAt(bytes, 10));
  while (bytes[at] === gifImage || bytes[at] === gifExtension) {
    const isImage = bytes[at] === gifImage;
    at += isImage ? 11 + colorTableBytes(byteAt(bytes, at + 9)) : 2;
    if (isImage) hasPicture ||= byteAt(bytes, at) > 0;
    for (; byteAt(bytes, at) > 0; at += 1 + byteAt(bytes, at));
    at += 1;
  }
  if (at > bytes.length) return faults.cutOff;
  return hasPicture ? [littleEndian16(bytes, 6), littleEndian16(bytes, 8)] : faults.noPicture;
}

const colorTableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0);

/** Reads a RIFF file of type WEBP, with the length that its header declares. */
function readWebp(bytes: Uint8Array): Size | ImageFault | undefined {
  const end = 8 + littleEndian32(bytes, 4);
  if (end > bytes.length) return faults.cutOff;
  const size = sizeOfWebp(bytes);
  if (!size) return undefined;
  const hasPicture = hasPictureOfWebp(bytes, 12, end);
  if (hasPicture === undefined) return faults.cutOff;
  return hasPicture ? size : faults.noPicture;
}

/** Returns the image's size, which each of the three possible first chunks encodes differently. */
function sizeOfWebp(bytes: Uint8Array): Size | undefined {
  const low14 = 0x3fff;
  switch (textAt(bytes, 12, 4)) {
    case "VP8 ": {
      const isKeyFrame = (byteAt(bytes, 20) & 1) === 0 && textAt(bytes, 23, 3) === "\x9d\x01\x2a";
      return isKeyFrame ? [littleEndian16(bytes, 26) & low14, littleEndian16(bytes, 28) & low14] : undefined;
    }
    case "VP8L": {
      const sizes = littleEndian32(bytes, 21);
      const isLossless = byteAt(bytes, 20) === 0x2f && sizes >>> 29 === 0;
      return isLossless ? [1 + (sizes & low14), 1 + ((sizes >>> 14) & low14)] : undefined;
    }
    case "VP8X":
      return [1 + littleEndian24(bytes, 24), 1 + littleEndian24(bytes, 27)];
    default:
      return undefined;
  }
}

/** The sizes of the headers before the data of an image and an animation frame. */
const headerBytes: Record<string, number> = { "VP8 ": 10, VP8L: 5 };
const frameHeaderBytes = 16;

/**
 * Whether the chunks contain an image, including one in an animation frame; undefined if a chunk is truncated. A frame
 * cannot contain frames.
 */
function hasPictureOfWebp(
  bytes: Uint8Array,
  from: number,
  end: number,
  isFrame = false,
): boolean | undefined {
  let found = false;
  for (let at = from; at < end; ) {
    const [type, length] = [textAt(bytes, at, 4), littleEndian32(bytes, at + 4)];
    const next = at + 8 + length;
    if (next > end) return undefined;
    const hasFrame = type === "ANMF" && !isFrame;
    const inside = hasFrame ? hasPictureOfWebp(bytes, at + 8 + frameHeaderBytes, next, true) : false;
    if (inside === undefined) return undefined;
    found ||= inside || length > (headerBytes[type] ?? length);
    at = next + (length % 2);
  }
  return found;
}

export const imageFormats = [
  {
    contentType: "image/png",
    extension: "png",
    begins: (bytes) => textAt(bytes, 0, 8) === "\x89PNG\r\n\x1a\n",
    read: readPng,
  },
  {
    contentType: "image/jpeg",
    extension: "jpg",
    begins: (bytes) => textAt(bytes, 0, 3) === "\xff\xd8\xff",
    read: readJpeg,
  },
  {
    contentType: "image/gif",
    extension: "gif",
    begins: (bytes) => ["GIF87a", "GIF89a"].includes(textAt(bytes, 0, 6)),
    read: readGif,
  },
  {
    contentType: "image/webp",
    extension: "webp",
    begins: (bytes) => textAt(bytes, 0, 4) === "RIFF" && textAt(bytes, 8, 4) === "WEBP",
    read: readWebp,
  },
] as const satisfies readonly ImageFormat[];

/** Returns the format of a storable image, or what is wrong with it; undefined if the bytes are not an image. */
export function imageFormatOf(bytes: Uint8Array): ImageFormat | ImageFault | undefined {
  const format = imageFormats.find(({ begins }) => begins(bytes));
  const size = format?.read(bytes);
  if (typeof size !== "object") return size;
  const [width, height] = size;
  if (width === 0 || height === 0) return undefined;
  if (Math.max(width, height) > limits.imageSidePixels) return faults.tooLong;
  return width * height > limits.imagePixels ? faults.tooLarge : format;
}
