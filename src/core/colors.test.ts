import fc from "fast-check";
import { expect, it } from "vitest";
import { brandColors, brandStyles } from "./colors.ts";

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const luminance = (hex: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: string, other: string) => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

it("any brand color is adjusted for enough contrast as text, behind text and against the card [S19]", () => {
  const color = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, "0")}`);
  fc.assert(
    fc.property(color, fc.constantFrom("light", "dark"), (accent, scheme) => {
      const card = { light: "#ffffff", dark: "#191918" }[scheme as "light" | "dark"];
      const { ground, on, text } = brandColors(accent, scheme as "light" | "dark");
      expect(contrast(ground, on)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(text, card)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(ground, card)).toBeGreaterThanOrEqual(2.9);
    }),
    { numRuns: 500 },
  );
});

it("a color that already has enough contrast is not changed", () => {
  expect(brandColors("#c2410c", "light")).toEqual({ ground: "#c2410c", on: "#ffffff", text: "#c2410c" });
  expect(brandStyles("#c2410c")).toMatch(/^@layer brand\{:root\{--brand:light-dark\(#c2410c,#[0-9a-f]{6}\);/);
});
