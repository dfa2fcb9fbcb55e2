import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { thumbnailsIn } from "./thumbnail.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
});

it("a thumbnail times out after 3 seconds and is null [P24]", async () => {
  const bucket = { get: () => new Promise<never>(() => {}) };
  const settled = vi.fn();
  thumbnailsIn(bucket as never, {} as never)("organizations/1/images/1.png", "mail").then(settled);
  await vi.advanceTimersByTimeAsync(2_999);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(settled).toHaveBeenCalledWith(null);
});
