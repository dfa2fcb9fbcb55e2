/** `npm run draw`: the drawings as WebP, which the demo workspace shows (pictures/). Their font is Inter. */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import packaged from "@sparticuz/chromium";
import { chromium } from "playwright-core";
import { drawings } from "./drawings.ts";

const font = readFileSync(
  createRequire(import.meta.url).resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"),
).toString("base64");
const face = `@font-face { font-family: "Inter Variable"; font-weight: 100 900;
  src: url(data:font/woff2;base64,${font}); } body { margin: 0 }`;

const executablePath = process.env.CHROMIUM || (await packaged.executablePath());
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage();
  const devtools = await page.context().newCDPSession(page);
  for (const [name, drawing] of Object.entries(drawings)) {
    const [, width = 0, height = 0] = /width="(\d+)" height="(\d+)"/.exec(drawing)?.map(Number) ?? [];
    await page.setViewportSize({ width, height });
    await page.setContent(`<style>${face}</style>${drawing}`);
    await page.evaluate("document.fonts.ready");
    const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: 82 });
    writeFileSync(join(import.meta.dirname, "pictures", `${name}.webp`), Buffer.from(data, "base64"));
  }
} finally {
  await browser.close();
}
