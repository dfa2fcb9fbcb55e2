/** Adjusts a brand color until it is readable as a background, and as text on a card, in light and dark mode. */

type Rgb = readonly [red: number, green: number, blue: number];

/** The card and text colors of the pages' stylesheet (pages/styles/tokens.css). */
const cards = { light: [255, 255, 255], dark: [25, 25, 24] } as const satisfies Record<string, Rgb>;
const black: Rgb = [17, 17, 16];
const white: Rgb = [255, 255, 255];

/** WCAG 2.2: 4.5 to 1 for text, 3 to 1 for a control's outline. */
const textRatio = 4.5;
const shapeRatio = 3;
/** How far each step moves toward black or white. */
const step = 0.06;

const rgbOf = (hex: string): Rgb => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];

const hexOf = (color: Rgb): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

const linear = (part: number): number => {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const luminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/** Computes the WCAG contrast ratio of two colors, from 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function toward([red, green, blue]: Rgb, aim: Rgb, part: number): Rgb {
  const moved = (from: number, to: number) => from + (to - from) * part;
  return [moved(red, aim[0]), moved(green, aim[1]), moved(blue, aim[2])];
}

/** Moves a color toward `aim` until it satisfies `isFit`. */
function until(color: Rgb, aim: Rgb, isFit: (color: Rgb) => boolean): Rgb {
  for (let part = 0; part < 1; part += step) {
    // Stylesheets use rounded channels, so the contrast is computed after rounding.
    const moved = rgbOf(hexOf(toward(color, aim, part)));
    if (isFit(moved)) return moved;
  }
  return aim;
}

interface BrandColors {
  /** A background, the text on it, and the color for text on a card. */
  ground: string;
  on: string;
  text: string;
}

/** Returns the brand colors in one color scheme. A color that is already readable does not change. */
export function brandColors(accent: string, scheme: keyof typeof cards): BrandColors {
  const own = rgbOf(accent);
  const [card, away] = [cards[scheme], scheme === "light" ? black : white];
  const visible = until(own, away, (color) => contrast(color, card) >= shapeRatio);
  const on = contrast(visible, white) >= contrast(visible, black) ? white : black;
  const ground = until(visible, on === white ? black : white, (color) => contrast(color, on) >= textRatio);
  const text = until(own, away, (color) => contrast(color, card) >= textRatio);
  return { ground: hexOf(ground), on: hexOf(on), text: hexOf(text) };
}

/** Builds the stylesheet that applies a brand color to the pages that load it. */
export function brandStyles(accent: string): string {
  const [light, dark] = [brandColors(accent, "light"), brandColors(accent, "dark")];
  const property = (name: string, of: keyof BrandColors) => `${name}:light-dark(${light[of]},${dark[of]});`;
  return `@layer brand{:root{${property("--brand", "ground")}${property("--brand-on", "on")}${property("--brand-text", "text")}}}`;
}
