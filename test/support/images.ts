import { crc32, deflateSync } from "node:zlib";

export const images = {
  png: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  jpg:
    `/9j/2wBDAAEB${"AQEB".repeat(20)}AQH/wAALCAABAAEBAREA/8QAFAAB${"A".repeat(21)}` +
    `P/EABQQAQ${"A".repeat(20)}D/2gAIAQEAAD8AP//Z`,
  gif: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
  webp: "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA",
} as const;

export const contentTypes = {
  png: "image/png",
  jpg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
} as const;

export const pngOfBytes = (bytes: number): string => {
  const whole = Buffer.alloc(bytes);
  Buffer.from(images.png, "base64").copy(whole);
  return whole.toString("base64");
};

/** A black PNG with this size in pixels, as base64. */
export function pngOfSize(width: number, height: number): string {
  const chunk = (type: string, data: Uint8Array) => {
    const named = Buffer.concat([Buffer.from(type), data]);
    const whole = Buffer.alloc(named.length + 8);
    whole.writeUInt32BE(data.length, 0);
    named.copy(whole, 4);
    whole.writeUInt32BE(crc32(named), named.length + 4);
    return whole;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // One bit per pixel (grayscale), and a filter byte before each row.
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const chunks = [chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]).toString("base64");
}

/** An animated WebP without a picture, whose frames contain each other, as base64. */
export function webpOfNestedFrames(depth: number): string {
  const frameBytes = 24;
  const length = (bytes: number) => Buffer.from(Uint32Array.of(bytes).buffer).toString("latin1");
  const frames = Array.from(
    { length: depth },
    (_, index) => `ANMF${length((depth - index) * frameBytes - 8)}${"\0".repeat(16)}`,
  ).join("");
  const content = `WEBPVP8X${length(10)}${"\0".repeat(10)}${frames}`;
  return Buffer.from(`RIFF${length(content.length)}${content}`, "latin1").toString("base64");
}

export const base64 = (text: string): string => Buffer.from(text).toString("base64");
