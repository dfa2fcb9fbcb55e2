import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { images } from "../../test/support/images.ts";
import { imageFormatOf } from "./image-formats.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");
const text = (image: Buffer) => image.toString("latin1");
const bigEndian32 = (value: number) =>
  String.fromCharCode(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
const bigEndian16 = (value: number) => bigEndian32(value).slice(2);
const littleEndian = (value: number, length: number) =>
  [...bigEndian32(value)].reverse().join("").slice(0, length);

const chunk = (type: string, data = "") =>
  bigEndian32(data.length) + type + data + bigEndian32(crc32(bytes(type + data)));
const header = (width = 1, height = 1) =>
  chunk("IHDR", `${bigEndian32(width)}${bigEndian32(height)}\x08\x06\0\0\0`);
const pngOf = (...chunks: string[]) => bytes(`\x89PNG\r\n\x1a\n${chunks.join("")}`);
const data = chunk("IDAT", "picture");
const end = chunk("IEND");

/** A frame header with one component: precision, height, width. */
const frame = (marker = "\xc0", height = 1, width = 1) =>
  `\xff${marker}\0\x0b\x08${bigEndian16(height)}${bigEndian16(width)}\x01\x01\x11\0`;
const jfif = "\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0";
const tables = "\xff\xdb\0\x05\0\0\0\xff\xc4\0\x04\0\0\xff\xc8\0\x02\xff\xcc\0\x04\0\0";
const scan = "\xff\xda\0\x08\x01\x01\0\0\x3f\0";
const jpegOf = (...parts: string[]) => bytes(`\xff\xd8${parts.join("")}`);
const eoi = "\xff\xd9";

const screen = (width = 1, height = 1, flags = "\0") =>
  `${littleEndian(width, 2)}${littleEndian(height, 2)}${flags}\0\0`;
const gifOf = (...parts: string[]) => bytes(`GIF89a${parts.join("")}`);
const gifPicture = `\x2c${"\0".repeat(8)}\0\x02\x02\x44\x01\0`;
const loop = "\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0";

const part = (type: string, content: string) =>
  `${type}${littleEndian(content.length, 4)}${content}${content.length % 2 ? "\0" : ""}`;
const webpOf = (...parts: string[]) => {
  const content = `WEBP${parts.join("")}`;
  return bytes(`RIFF${littleEndian(content.length, 4)}${content}`);
};
const lossy = (width = 1, height = 1, { tag = "\x10\0\0", start = "\x9d\x01\x2a", of = "picture" } = {}) =>
  part("VP8 ", `${tag}${start}${littleEndian(width, 2)}${littleEndian(height, 2)}${of}`);
const lossless = (sizes = "\0\0\0\0", signature = "\x2f", of = "picture") =>
  part("VP8L", `${signature}${sizes}${of}`);
const canvas = (width = 1, height = 1) =>
  part("VP8X", `\0\0\0\0${littleEndian(width - 1, 3)}${littleEndian(height - 1, 3)}`);
const animated = (...parts: string[]) => part("ANMF", `${"\0".repeat(16)}${parts.join("")}`);

const stored: [what: string, image: Buffer, contentType: string][] = [
  ["a PNG", pngOf(header(), data, end), "image/png"],
  ["a PNG without its end marker", pngOf(header(), data), "image/png"],
  ["a PNG with bytes after its end", pngOf(header(), data, end, "\0\0\0"), "image/png"],
  ["a PNG of 16,384 pixels on a side", pngOf(header(16_384, 6_103), data), "image/png"],
  ["a JPEG with JFIF", jpegOf(jfif, frame(), scan, "data\xff\0", eoi), "image/jpeg"],
  [
    "a progressive JPEG",
    jpegOf(tables, frame("\xc2"), scan, "a\xff\xd0b", tables, scan, "c", eoi),
    "image/jpeg",
  ],
  [
    "a JPEG with fill bytes",
    jpegOf("\xff\xff", jfif, "\xff\xff", frame("\xcf"), scan, "data\xff\xff", eoi),
    "image/jpeg",
  ],
  ["a JPEG with bytes after its end", jpegOf(frame(), scan, "data", eoi, "\xff\xe0"), "image/jpeg"],
  ["a GIF", gifOf(screen(), loop, gifPicture, ";"), "image/gif"],
  ["a GIF87a", bytes(`GIF87a${screen(256, 1)}${gifPicture};`), "image/gif"],
  [
    "a GIF with color tables",
    gifOf(screen(1, 1, "\x80"), "colors", `\x2c${"\0".repeat(8)}\x80colors\x02\x01\x44\0`),
    "image/gif",
  ],
  ["a GIF without its end marker", gifOf(screen(), gifPicture), "image/gif"],
  ["a GIF with bytes after its end", gifOf(screen(), gifPicture, ";\x21\xff"), "image/gif"],
  ["a lossy WebP", webpOf(lossy(1, 256)), "image/webp"],
  ["a lossless WebP", webpOf(lossless()), "image/webp"],
  ["an extended WebP", webpOf(canvas(), part("ALPH", "abc"), lossy()), "image/webp"],
  ["an animated WebP", webpOf(canvas(), animated(lossy()), animated(lossless())), "image/webp"],
  ["a WebP with bytes after its end", Buffer.concat([webpOf(lossy()), bytes("VP8 \xff\xff")]), "image/webp"],
];

describe("imageFormatOf", () => {
  it.each(stored)("recognizes %s", (_, image, contentType) => {
    expect(imageFormatOf(image)).toMatchObject({ contentType });
  });

  it("recognizes an image in a view of a larger buffer", () => {
    const whole = Buffer.concat([bytes("before"), pngOf(header(), data)]);
    expect(imageFormatOf(whole.subarray(6))).toMatchObject({ extension: "png" });
  });
});

describe("imageFormatOf reports what is wrong with", () => {
  const [cutOff, noPicture] = ["is cut off", "has no picture data"];
  const wrongChecksum = "has a PNG chunk with a wrong checksum";
  const tooLong = "has more than 16,384 pixels on a side";
  const tooLarge = "has more than 100 megapixels";

  it.each([
    ["a PNG truncated in its data", pngOf(header(), data).subarray(0, -1), cutOff],
    ["a PNG truncated in its end marker", pngOf(header(), data, end).subarray(0, -1), cutOff],
    ["a PNG with only a signature", pngOf(), cutOff],
    ["a PNG truncated in its header", pngOf(header()).subarray(0, 30), cutOff],
    ["a PNG with only a header", pngOf(header()), noPicture],
    ["a PNG without data", pngOf(header(), chunk("IDAT"), end), noPicture],
    [
      "a PNG with altered data",
      bytes(text(pngOf(header(), data, end)).replace("picture", "Picture")),
      wrongChecksum,
    ],
    [
      "a PNG with an altered header",
      bytes(text(pngOf(header(), data)).replace("\x08\x06", "\x08\x02")),
      wrongChecksum,
    ],
    ["a PNG that is too wide", pngOf(header(16_385, 1), data), tooLong],
    ["a PNG that is too high", pngOf(header(1, 16_385), data), tooLong],
    ["a PNG that is too large", pngOf(header(10_001, 10_000), data), tooLarge],
    ["a JPEG without its end marker", jpegOf(frame(), scan, "data"), cutOff],
    ["a JPEG truncated in a segment", jpegOf(jfif).subarray(0, -1), cutOff],
    ["a JPEG truncated in its frame", jpegOf(frame()).subarray(0, -1), cutOff],
    ["a JPEG with only a marker", bytes("\xff\xd8\xff"), cutOff],
    ["a JPEG without a scan", jpegOf(jfif, frame(), eoi), noPicture],
    ["a JPEG whose scan is empty", jpegOf(frame(), scan, eoi), noPicture],
    ["a JPEG that is too wide", jpegOf(frame("\xc0", 1, 16_385), scan, "data", eoi), tooLong],
    ["a GIF truncated in its screen descriptor", gifOf("\x01\0"), cutOff],
    ["a GIF truncated in its color table", gifOf(screen(1, 1, "\x80"), "color"), cutOff],
    ["a GIF truncated in a block", gifOf(screen(), gifPicture).subarray(0, -2), cutOff],
    ["a GIF truncated after a block", gifOf(screen(), gifPicture).subarray(0, -1), cutOff],
    ["a GIF without a picture", gifOf(screen(), loop, ";"), noPicture],
    ["a GIF whose picture is empty", gifOf(screen(), `\x2c${"\0".repeat(9)}\x02\0`, ";"), noPicture],
    ["a GIF that is too large", gifOf(screen(16_384, 16_384), gifPicture), tooLarge],
    ["a WebP shorter than its header declares", webpOf(lossy()).subarray(0, -1), cutOff],
    ["a WebP with a truncated chunk", webpOf(lossy().slice(0, -4)), cutOff],
    ["a WebP with a truncated frame", webpOf(canvas(), animated(lossy().slice(0, -4))), cutOff],
    ["a WebP without a picture", webpOf(canvas(), part("EXIF", "data")), noPicture],
    ["a lossy WebP with only a header", webpOf(lossy(1, 1, { of: "" })), noPicture],
    ["a lossless WebP with only a header", webpOf(lossless("\0\0\0\0", "\x2f", "")), noPicture],
    ["a WebP that is too wide", webpOf(canvas(16_385, 1), lossy()), tooLong],
  ])("%s", (_, image, fault) => {
    expect(imageFormatOf(image)).toBe(fault);
  });

  it.each([
    ["an empty file", bytes("")],
    ["a PNG without a width", pngOf(header(0, 1), data)],
    ["a PNG without a height", pngOf(header(1, 0), data)],
    ["a PNG with a header of the wrong length", pngOf(chunk("IHDR", "\0".repeat(12)), data)],
    ["a PNG whose header does not come first", pngOf(chunk("tEXt", "text"), header(), data)],
    ["a PNG whose line ends were converted", bytes(text(pngOf(header(), data)).replace("\r\n", "\n"))],
    ["a JPEG without a marker", bytes("\xff\xd8\0\x10")],
    ["a JPEG whose scan comes before its frame", jpegOf(scan, "data", frame(), eoi)],
    ["a JPEG with a segment of length zero", jpegOf("\xff\xe0\0\x01", frame(), scan, "data", eoi)],
    ["a JPEG without a height", jpegOf(frame("\xc0", 0, 1), scan, "data", eoi)],
    ["a JPEG without a width", jpegOf(frame("\xc0", 1, 0), scan, "data", eoi)],
    ["a GIF of another version", bytes(`GIF90a${screen()}${gifPicture};`)],
    ["a GIF without a width", gifOf(screen(0, 1), gifPicture)],
    ["a GIF without a height", gifOf(screen(1, 0), gifPicture)],
    ["a lossy WebP without a width", webpOf(lossy(0, 1))],
    ["a lossy WebP with a scale but no height", webpOf(lossy(1, 0x4000))],
    ["a lossy WebP without a key frame", webpOf(lossy(1, 1, { tag: "\x11\0\0" }))],
    ["a lossy WebP without a start code", webpOf(lossy(1, 1, { start: "\x9d\x01\x2b" }))],
    ["a lossless WebP without its signature", webpOf(lossless("\0\0\0\0", "\x2e"))],
    ["a lossless WebP of another version", webpOf(lossless("\0\0\0\x20"))],
    ["a WAVE file", bytes("RIFF\x24\0\0\0WAVEfmt \x10\0\0\0")],
    ["a WebP of an unknown kind", webpOf(part("NONE", "data"))],
    ["an SVG", bytes('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
    ["a PDF", bytes("%PDF-1.7 \xff\xd8\xff\xe0 GIF89a")],
    ["an AVIF", bytes("\0\0\0\x1cftypavif\0\0\0\0mif1avifmiaf")],
    ["a TIFF", bytes("II*\0\x08\0\0\0".padEnd(40, "\0"))],
    ["an icon", bytes("\0\0\x01\0\x01\0\x10\x10".padEnd(40, "\0"))],
  ])("%s is rejected", (_, image) => {
    expect(imageFormatOf(image)).toBeUndefined();
  });

  it.each(Object.entries(images))(
    "a %s is rejected if it is truncated before its end marker",
    (_, base64) => {
      const image = Buffer.from(base64, "base64");
      const mayLackEnd = { png: 12, gif: 1 }[_] ?? 0;
      for (let length = 0; length < image.length; length += 1) {
        if (length !== image.length - mayLackEnd)
          expect([length, typeof imageFormatOf(image.subarray(0, length))]).not.toEqual([length, "object"]);
      }
    },
  );
});
