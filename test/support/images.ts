/** The smallest real images, raw base64. */
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

/** A PNG followed by zeros, with this many bytes in all. */
export const pngOfBytes = (bytes: number): string => {
  const whole = Buffer.alloc(bytes);
  Buffer.from(images.png, "base64").copy(whole);
  return whole.toString("base64");
};

export const base64 = (text: string): string => Buffer.from(text).toString("base64");
