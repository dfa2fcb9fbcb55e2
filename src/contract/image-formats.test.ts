import { describe, expect, it } from "vitest";
import { imageFormatOf } from "./image-formats.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");
const png = (width: string, height: string) =>
  bytes(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR${width}${height}\x08\x06\0\0\0\0\0\0\0`);
const [none, some] = ["\0\0\0\0", "\0\0\x01\0"];

describe("the format of an image", () => {
  it.each([
    ["a PNG", png(some, some), "image/png"],
    ["a JPEG with JFIF", bytes("\xff\xd8\xff\xe0\0\x10JFIF\0"), "image/jpeg"],
    ["a JPEG with Exif", bytes("\xff\xd8\xff\xe1\0\x10Exif\0"), "image/jpeg"],
    ["a JPEG that starts with its tables", bytes("\xff\xd8\xff\xdb\0\x43"), "image/jpeg"],
    ["a GIF of 1987", bytes("GIF87a\x01\0\x01\0\0\0\0"), "image/gif"],
    ["a GIF of 1989", bytes("GIF89a\x01\0\x01\0\0\0\0"), "image/gif"],
    ["a lossy WebP", bytes("RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0"), "image/webp"],
    ["a lossless WebP", bytes("RIFF\x24\0\0\0WEBPVP8L\x18\0\0\0"), "image/webp"],
    ["an extended WebP", bytes("RIFF\x24\0\0\0WEBPVP8X\x18\0\0\0"), "image/webp"],
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
    ["a PNG that breaks off", png(some, some).subarray(0, 30)],
    ["a PNG whose line ends were converted", bytes("\x89PNG\n\x1a\n\0\0\0\rIHDR".padEnd(40, "\x01"))],
    ["a PNG whose header does not come first", bytes("\x89PNG\r\n\x1a\n\0\0\0\rtEXt".padEnd(40, "\x01"))],
    ["a JPEG that breaks off", bytes("\xff\xd8\xff")],
    ["a JPEG without a marker", bytes("\xff\xd8\xff\x00\0\x10")],
    ["a GIF of another year", bytes("GIF90a\x01\0\x01\0\0\0\0")],
    ["a GIF that breaks off", bytes("GIF89a\x01\0")],
    ["a WAVE", bytes("RIFF\x24\0\0\0WAVEfmt \x10\0\0\0")],
    ["a WebP without a picture", bytes("RIFF\x24\0\0\0WEBPXXXX\x18\0\0\0")],
    ["an SVG", bytes('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
    ["a PDF", bytes("%PDF-1.7 \xff\xd8\xff\xe0 GIF89a")],
    ["an AVIF", bytes("\0\0\0\x1cftypavif\0\0\0\0mif1avifmiaf")],
    ["a TIFF", bytes("II*\0\x08\0\0\0".padEnd(40, "\0"))],
    ["an icon", bytes("\0\0\x01\0\x01\0\x10\x10".padEnd(40, "\0"))],
  ])("does not take %s for an image that can be stored", (_, image) => {
    expect(imageFormatOf(image)).toBeUndefined();
  });
});
