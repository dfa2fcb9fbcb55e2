import { describe, expect, it } from "vitest";
import { imageFormatOf } from "./image-formats.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");
const png = (width: string, height: string, length = "\0\0\0\r") =>
  bytes(`\x89PNG\r\n\x1a\n${length}IHDR${width}${height}\x08\x06\0\0\0\0\0\0\0`);
const [none, some] = ["\0\0\0\0", "\0\0\x01\0"];
/** A frame header of one component: precision, height, width. */
const frame = (marker: string, height = "\0\x01", width = "\x02\0") =>
  `\xff${marker}\0\x0b\x08${height}${width}\x01\x01\x11\0`;
const jfif = "\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0";
const tables = "\xff\xdb\0\x05\0\0\0\xff\xc4\0\x04\0\0\xff\xc8\0\x02\xff\xcc\0\x04\0\0";
const gif = (width: string, height: string, year = "89") => bytes(`GIF${year}a${width}${height}\0\0\0`);
const lossy = (width: string, height: string, { tag = "\x10\0\0", start = "\x9d\x01\x2a" } = {}) =>
  bytes(`RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0${tag}${start}${width}${height}`);
const lossless = (header: string, signature = "\x2f") =>
  bytes(`RIFF\x24\0\0\0WEBPVP8L\x05\0\0\0${signature}${header}`);

describe("the format of an image", () => {
  it.each([
    ["a PNG", png(some, some), "image/png"],
    ["a JPEG with JFIF", bytes(`\xff\xd8${jfif}${frame("\xc0")}`), "image/jpeg"],
    ["a progressive JPEG with tables first", bytes(`\xff\xd8${tables}${frame("\xc2")}`), "image/jpeg"],
    ["a JPEG with fill bytes", bytes(`\xff\xd8\xff\xff${jfif}\xff\xff${frame("\xcf")}`), "image/jpeg"],
    ["a GIF of 1987", gif("\x01\0", "\x01\0", "87"), "image/gif"],
    ["a GIF of 1989", gif("\0\x01", "\0\x01"), "image/gif"],
    ["a lossy WebP", lossy("\x01\0", "\0\x01"), "image/webp"],
    ["a lossless WebP", lossless("\0\0\0\0"), "image/webp"],
    ["an extended WebP", bytes(`RIFF\x24\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0${"\0".repeat(6)}`), "image/webp"],
  ])("knows %s", (_, image, contentType) => {
    expect(imageFormatOf(image)?.contentType).toBe(contentType);
  });

  it("reads a view into a larger buffer", () => {
    const whole = Buffer.concat([bytes("before"), png(some, some)]);
    expect(imageFormatOf(whole.subarray(6))?.extension).toBe("png");
  });

  it.each([
    ["nothing", bytes("")],
    ["a PNG without a width", png(none, some)],
    ["a PNG without a height", png(some, none)],
    ["a PNG whose header has another length", png(some, some, "\0\0\0\x0c")],
    ["a PNG that breaks off", png(some, some).subarray(0, 30)],
    ["a PNG whose line ends were converted", bytes("\x89PNG\n\x1a\n\0\0\0\rIHDR".padEnd(40, "\x01"))],
    ["a PNG whose header does not come first", bytes("\x89PNG\r\n\x1a\n\0\0\0\rtEXt".padEnd(40, "\x01"))],
    ["a JPEG that breaks off", bytes("\xff\xd8\xff")],
    ["a JPEG without a marker", bytes("\xff\xd8\xff\x00\0\x10")],
    ["a JPEG without a frame", bytes(`\xff\xd8${jfif}`)],
    ["a JPEG whose frame breaks off", bytes(`\xff\xd8${frame("\xc0")}`.slice(0, -1))],
    ["a JPEG whose scan comes before its frame", bytes(`\xff\xd8\xff\xda\0\x02${frame("\xc0")}`)],
    ["a JPEG with a segment of no length", bytes(`\xff\xd8\xff\xe0\0\x01${frame("\xc0")}`)],
    ["a JPEG with something between segments", bytes(`\xff\xd8${jfif}\0${frame("\xc0")}`)],
    ["a JPEG without a height", bytes(`\xff\xd8${frame("\xc0", "\0\0")}`)],
    ["a JPEG without a width", bytes(`\xff\xd8${frame("\xc0", "\0\x01", "\0\0")}`)],
    ["a GIF of another year", gif("\x01\0", "\x01\0", "90")],
    ["a GIF that breaks off", bytes("GIF89a\x01\0")],
    ["a GIF without a width", gif("\0\0", "\x01\0")],
    ["a GIF without a height", gif("\x01\0", "\0\0")],
    ["a WebP that breaks off", lossy("\x01\0", "\x01")],
    ["a lossy WebP without a width", lossy("\0\0", "\x01\0")],
    ["a lossy WebP without a height but a scale", lossy("\x01\0", "\0\x40")],
    ["a lossy WebP that is no key frame", lossy("\x01\0", "\x01\0", { tag: "\x11\0\0" })],
    ["a lossy WebP without a start code", lossy("\x01\0", "\x01\0", { start: "\x9d\x01\x2b" })],
    ["a lossless WebP without its signature", lossless("\0\0\0\0", "\x2e")],
    ["a lossless WebP of another version", lossless("\0\0\0\x20")],
    ["a lossless WebP that breaks off", lossless("\0\0\0")],
    ["a WAVE", bytes("RIFF\x24\0\0\0WAVEfmt \x10\0\0\0")],
    ["a WebP without a picture", bytes("RIFF\x24\0\0\0WEBPNONE\x18\0\0\0".padEnd(40, "\x01"))],
    ["an SVG", bytes('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
    ["a PDF", bytes("%PDF-1.7 \xff\xd8\xff\xe0 GIF89a")],
    ["an AVIF", bytes("\0\0\0\x1cftypavif\0\0\0\0mif1avifmiaf")],
    ["a TIFF", bytes("II*\0\x08\0\0\0".padEnd(40, "\0"))],
    ["an icon", bytes("\0\0\x01\0\x01\0\x10\x10".padEnd(40, "\0"))],
  ])("does not take %s for an image that can be stored", (_, image) => {
    expect(imageFormatOf(image)).toBeUndefined();
  });
});
