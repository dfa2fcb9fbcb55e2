import * as z from "zod";
import { type ImageFault, type ImageFormat, imageFormatOf } from "./image-formats.ts";
import { imageSize, limits, logoSize } from "./limits.ts";

/** An image as received: its bytes and the format detected from them. */
export interface Image {
  bytes: Uint8Array<ArrayBuffer>;
  format: ImageFormat;
}

const notAnImage = "image_base64 must be base64 (or a data: URL) of a PNG, JPEG, WebP or GIF image";
/** The media type that a data: URL declares. It is never trusted. */
const dataUrlPrefix = /^data:[\x20-\x2b\x2d-\x7e]{0,200};base64,/i;

/**
 * An image in a body (contract V3). The base64 length gives its size before decoding, so an image over the limit fails
 * with `payload_too_large`. Any other fault is a 400 that names the field.
 */
export const imageInput = z
  .string(notAnImage)
  .transform((text, { issues }): Image => {
    const base64 = base64In(text);
    if (decodedBytes(base64) > limits.imageDecodedBytes) {
      issues.push({ code: "custom", input: text, params: { failure: "payload_too_large" } });
      return z.NEVER;
    }
    const image = imageOf(base64);
    if (typeof image === "object") return image;
    issues.push({ code: "custom", input: text, message: image ? `image_base64 ${image}` : notAnImage });
    return z.NEVER;
  })
  .meta({
    override: { type: "string" },
    description: `Raw base64 or a data: URL of a PNG, JPEG, WebP or GIF image, at most ${imageSize} decoded`,
  });

const notALogo = `logo_base64 must be base64 of a PNG, JPEG or WebP image of at most ${logoSize}, or none`;

/** A logo that every page and e-mail can show; `none` for no logo. */
export const logoInput = z
  .string(notALogo)
  .transform((text, { issues }): Image | null => {
    if (text === "none") return null;
    const base64 = base64In(text);
    const image = decodedBytes(base64) <= limits.logoDecodedBytes ? imageOf(base64) : undefined;
    if (typeof image === "object" && image.format.extension !== "gif") return image;
    const message = typeof image === "string" ? `logo_base64 ${image}` : notALogo;
    issues.push({ code: "custom", input: text, message });
    return z.NEVER;
  })
  .meta({
    override: { type: "string" },
    description: `Raw base64 or a data: URL, at most ${logoSize} decoded`,
  });

/**
 * Normalizes base64: encoders may insert line breaks (RFC 2045, RFC 7468), add surrounding whitespace, or omit the
 * padding (RFC 4648, 3.2).
 */
function base64In(given: string): string {
  const trimmed = given.trim();
  const wrapped = trimmed.slice(dataUrlPrefix.exec(trimmed)?.[0].length ?? 0).trimStart();
  const text = /[\r\n]/.test(wrapped) ? wrapped.replaceAll(/[\r\n]+/g, "") : wrapped;
  return text.endsWith("=") ? text : text + "=".repeat((4 - (text.length % 4)) % 4);
}

const decodedBytes = (base64: string): number => {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
};

/** Returns a storable image, or what is wrong with it; undefined if the string is not a base64 image. */
function imageOf(base64: string): Image | ImageFault | undefined {
  const bytes = decode(base64);
  const format = bytes ? imageFormatOf(bytes) : undefined;
  return typeof format === "object" ? bytes && { bytes, format } : format;
}

/** Decodes strictly: accepts only the standard alphabet, without stray bits. Returns undefined for anything else. */
function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  if (/[^A-Za-z0-9+/=]/.test(base64)) return undefined;
  try {
    return Uint8Array.fromBase64(base64, { lastChunkHandling: "strict" });
  } catch {
    return undefined;
  }
}
