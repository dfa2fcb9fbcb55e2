/**
 * `npm run pictures`: makes the README's pictures again, from a service of its own with the demo workspace: a client's
 * review, the tokens, and a webhook endpoint that has something to show.
 */
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import packaged from "@sparticuz/chromium";
import { chromium, type Page } from "playwright-core";
import { startService, stateDirectory } from "../test/operations/service.ts";

const folder = join(import.meta.dirname, "..", "docs", "pictures");
/** Wide enough for every column, and small enough for a README. */
const viewport = { width: 1000, height: 700 };
/** High enough for the form to sign off; the landing page shows it too (scripts/site/landing.tsx). */
const reviewViewport = { width: 1280, height: 900 };

const state = stateDirectory();
const service = await startService(state.directory);
const receiver = createServer((_, response) => response.end("ok"));
await new Promise<void>((resolve) => {
  receiver.listen(0, "127.0.0.1", resolve);
});
const executablePath = process.env.CHROMIUM || (await packaged.executablePath());
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport, locale: "en-GB" });
  await takePictures(page);
} finally {
  await browser.close();
  receiver.close();
  await service.end();
  state.remove();
}

async function takePictures(page: Page): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  await page.setViewportSize(reviewViewport);
  await page.goto(service.server.review_url ?? "");
  await page.screenshot({ path: join(folder, "review.png") });
  await page.setViewportSize(viewport);

  await page.goto(service.server.sign_in_url ?? "");
  await press("Sign in");
  await page.getByRole("link", { name: "Tokens" }).click();
  await page.getByRole("heading", { name: "Tokens" }).waitFor();
  await page.screenshot({ path: join(folder, "tokens.png") });

  await page.getByRole("link", { name: "Endpoints" }).click();
  await page.getByRole("link", { name: "Add endpoint", exact: true }).click();
  await page.getByLabel("URL").fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`);
  await press("Add endpoint");
  await page.getByRole("link", { name: "Done" }).click();
  const endpoint = page.url();
  await press("Send test");
  await page.getByText("Delivered", { exact: true }).waitFor();
  await page.goto(endpoint);
  await page.screenshot({ path: join(folder, "webhooks.png") });
}
