import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { removeImage, storeImage } from "./images.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const image = { path: "x.png", bytes: new Uint8Array(), contentType: "image/png", sha256: "" };

it.each([
  ["stored", (bucket: R2Bucket) => storeImage(bucket, image)],
  ["removed", (bucket: R2Bucket) => removeImage(bucket, image.path)],
])("an image that is not %s within 8 seconds causes an error", async (_, work) => {
  const hanging = () => new Promise<never>(() => {});
  const settled = vi.fn();
  work({ put: hanging, delete: hanging } as Partial<R2Bucket> as R2Bucket).catch(settled);
  await vi.advanceTimersByTimeAsync(7_999);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(settled).toHaveBeenCalled();
});
