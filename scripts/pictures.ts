/**
 * `npm run pictures` starts a service with the demo workspace and retakes the README's screenshots of a client review,
 * the tokens page and a failing webhook endpoint.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import packaged from "@sparticuz/chromium";
import { chromium, type Page } from "playwright-core";
import { startService, stateDirectory } from "../test/operations/service.ts";

const folder = join(import.meta.dirname, "..", "docs", "pictures");
/**
 * The window is wide enough for every column and tall enough for the sign-off form. The landing page reuses the review
 * screenshot.
 */
const viewport = { width: 1280, height: 900 };

const state = stateDirectory();
const service = await startService(state.directory);
const executablePath = process.env.CHROMIUM || (await packaged.executablePath());
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport, locale: "en-GB" });
  await takePictures(page);
} finally {
  await browser.close();
  await service.end();
  state.remove();
}

async function takePictures(page: Page): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.goto(service.server.review_url ?? "");
  await page.screenshot({ path: join(folder, "review.png") });

  await page.goto(service.server.sign_in_url ?? "");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("link", { name: "Tokens" }).click();
  await page.getByRole("heading", { name: "Tokens" }).waitFor();
  await page.screenshot({ path: join(folder, "tokens.png") });

  await page.getByRole("link", { name: "Endpoints" }).click();
  await page.getByRole("link", { name: /board/ }).click();
  await page.getByRole("heading", { name: "Deliveries", exact: true }).waitFor();
  await page.screenshot({ path: join(folder, "webhooks.png") });
}
