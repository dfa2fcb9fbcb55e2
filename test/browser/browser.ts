/**
 * A real browser for page tests: the Chromium in CHROMIUM, or the one in the npm package, which needs no download and
 * runs as root. `expectSound` checks the rules that apply to all pages.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import packaged from "@sparticuz/chromium";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM || (await packaged.executablePath());
  // Leaves out the package's default arguments, because single-process mode exits with the first page and web security
  // must stay on.
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"], headless: true });
}

const views = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 900 } },
  "no script": { viewport: { width: 390, height: 844 }, isMobile: true, javaScriptEnabled: false },
} as const satisfies Record<string, BrowserContextOptions>;
export type View = keyof typeof views;

/** The themes and sizes that a page is checked in. The styles depend only on the width and the color scheme. */
const looks = {
  "phone 320": { viewport: { width: 320, height: 640 }, colorScheme: "light" },
  "phone 390 dark": { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
  desktop: { viewport: { width: 1280, height: 900 }, colorScheme: "light" },
} as const;

export interface Visit {
  view: View;
  page: Page;
  errors: string[];
  close(): Promise<void>;
}

/** Opens a page without cookies. A rejected form is not recorded as an error, because the test checks its status. */
export async function visit(browser: Browser, view: View = "desktop"): Promise<Visit> {
  const context = await browser.newContext({ ...views[view], locale: "en-GB", reducedMotion: "reduce" });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    const isRefusal = /^Failed to load resource: the server responded with a status of 4\d\d/.test(
      message.text(),
    );
    if (message.type() === "error" && !isRefusal) errors.push(message.text());
  });
  return { view, page, errors, close: () => context.close() };
}

const screenshots = join(import.meta.dirname, "..", "..", ".wrangler", "screenshots");

export async function screenshot(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  mkdirSync(screenshots, { recursive: true });
  const path = join(screenshots, `${name.replaceAll(/[^\w-]+/g, "-")}.png`);
  await page.screenshot({ path, fullPage: true });
}

/** Polling options while the page applies a new width, scheme or text size. */
const settled = { timeout: 10_000 };

async function inEachLook({ view, page }: Visit, judge: (look: string) => Promise<void>): Promise<void> {
  for (const [name, { viewport, colorScheme }] of Object.entries(looks)) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    const shown = `matchMedia("(width: ${viewport.width}px) and (prefers-color-scheme: ${colorScheme})").matches`;
    await expect.poll(() => page.evaluate(shown), settled).toBe(true);
    await judge(name);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(views[view].viewport);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Runs axe with its WCAG 2.2 AA and best-practice rules, and returns a summary of the violations. axe runs in an
 * isolated world, which the page's content security policy does not affect and which lasts until the next load.
 */
async function axeFindings(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const isolated = { frameId: frameTree.frame.id, worldName: "axe" };
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", isolated);
  const { result: known } = await session.send("Runtime.evaluate", { expression: "typeof axe", contextId });
  if (known.value === "undefined")
    await session.send("Runtime.evaluate", { expression: axeSource, contextId });
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    // Only violations: reporting passes takes axe 25 % longer.
    expression: `axe.run({ iframes: false, resultTypes: ["violations"] }).then(({ violations }) =>
      JSON.stringify(violations.map(({ id, impact, nodes }) =>
        id + " (" + impact + "): " + nodes.map(({ target }) => target.join(" ")).join(", "))))`,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  return JSON.parse(result.value);
}

export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");

/** Doubles only the text size, as browsers allow (WCAG 1.4.4). */
const doubleText = (page: Page) =>
  page.evaluate("document.documentElement.style.setProperty('font-size', '200%', 'important')");

/**
 * Checks a page in each theme and size: no axe violations, no errors, and no horizontal scrolling even at double text
 * size.
 */
export async function expectSound(visited: Visit, name: string): Promise<void> {
  const { view, page, errors } = visited;
  await inEachLook(visited, async (look) => {
    await screenshot(page, `${name} ${look}`);
    await expect.poll(() => scrollsSideways(page), { ...settled, message: look }).toBe(false);
    // axe needs JavaScript. While the color scheme changes, a color can lack contrast, so the check is retried. The
    // two wider views cover both themes and both layouts.
    if (view !== "no script" && look !== "phone 320") {
      await expect.poll(() => axeFindings(page), { ...settled, message: look }).toEqual([]);
    }
    await doubleText(page);
    const large = `${look}, text twice as large`;
    await expect.poll(() => scrollsSideways(page), { ...settled, message: large }).toBe(false);
    await page.evaluate("document.documentElement.style.removeProperty('font-size')");
  });
  expect(errors).toEqual([]);
}

export const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const element = document.activeElement;
    const name = element.labels?.[0]?.textContent || element.textContent || element.querySelector("img")?.alt || "";
    return element.localName + " " + name.trim().replace(/\\s+/g, " ");
  })()`);

/** Waits until the page has loaded and scrolled to its fragment, because the browser drops the focus before that. */
export async function scrolledToTarget(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}
