import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stylesheetPath } from "../../src/pages/layout.tsx";
import { expectSound, focused, openBrowser, type View, visit } from "./browser.ts";
import { openSite, type Site } from "./site.ts";

let site: Site;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([openSite(), openBrowser()]);
});
afterAll(() => browser?.close());

async function open(view: View) {
  const visited = await visit(browser, view);
  await visited.page.goto(`${site.baseUrl}/dev/components`);
  return visited;
}

/** The share of pixels that differ between two screenshots, per thousand. The browser decodes the PNGs. */
const differing = (page: Page, pictures: readonly Buffer[]): Promise<number> =>
  page.evaluate(
    `(async (sources) => {
      const [one, other] = await Promise.all(sources.map(async (source) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height);
      }));
      if (one.width !== other.width || one.height !== other.height) return 1000;
      let differing = 0;
      for (let at = 0; at < one.data.length; at += 4)
        if (Math.abs(one.data[at] - other.data[at]) > 32 || Math.abs(one.data[at + 1] - other.data[at + 1]) > 32)
          differing += 1;
      return (differing / (one.data.length / 4)) * 1000;
    })(${JSON.stringify(pictures.map((picture) => `data:image/png;base64,${picture.toString("base64")}`))})`,
  );

describe("the page components", () => {
  it.each<View>(["phone", "no script"])(
    "are accessible and fit the screen in every theme and size: %s",
    async (view) => {
      const visited = await open(view);
      await expectSound(visited, "components");
      await visited.close();
    },
  );

  // `APPROVE=1 npx vitest run test/browser/layout.test.tsx` retakes the screenshots; review them.
  it.each(["light", "dark"] as const)("match the approved screenshots: %s", async (colorScheme) => {
    const { page, close } = await open("desktop");
    await page.emulateMedia({ colorScheme });
    await page.evaluate("document.fonts.ready");
    const picture = await page.screenshot({ fullPage: true });
    const path = join(import.meta.dirname, "pictures", `components-${colorScheme}.png`);
    if (process.env.APPROVE) {
      mkdirSync(join(path, ".."), { recursive: true });
      writeFileSync(path, picture);
    }
    const blank = await browser.newPage();
    expect(await differing(blank, [readFileSync(path), picture])).toBeLessThan(2);
    await blank.close();
    await close();
  });

  it("take keyboard focus in order, and each focus stop has a name", async () => {
    const { page, close } = await open("desktop");
    const stops: string[] = [];
    for (let stop = 0; stop < 3; stop += 1) {
      await page.keyboard.press("Tab");
      stops.push(await focused(page));
    }
    expect(stops).toEqual(["a Skip to content", "button Primary", "button quiet"]);
    await close();
  });

  it("share one stylesheet smaller than 25 KB", async () => {
    const stylesheet = await (await fetch(site.baseUrl + stylesheetPath)).text();
    expect(gzipSync(stylesheet).length).toBeLessThan(25_000);
  });
});
