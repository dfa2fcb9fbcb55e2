import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Alert, Badge, Field, Typed, When } from "../../src/pages/components.tsx";
import { htmlOf, PageShell, stylesheetPath } from "../../src/pages/layout.tsx";
import { expectSound, focused, openBrowser, type View, visit } from "./browser.ts";

const stylesheet = readFileSync(join(import.meta.dirname, "../../.wrangler/docs", stylesheetPath));
const longWord = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

const sample = htmlOf(
  <PageShell
    title="Sample"
    brand={`Studio ${longWord}`}
    aside={<Badge tone="good">In review</Badge>}
    footer={<p>Foot</p>}
  >
    <h1>{longWord}</h1>
    <Alert>
      <p>This was not sent: Your name is missing</p>
    </Alert>
    <div class="sheet">
      <p class="muted">
        <Badge>Draft</Badge> <Badge tone="attention">Changes requested</Badge>{" "}
        <Badge tone="bad">Failed</Badge> <When at="2026-01-31T09:30:00.000Z" exact />
      </p>
      <Typed>{"Two lines\nand https://example.com/".padEnd(300, "a")}</Typed>
      <form method="post">
        <Field label="Your name" name="author_name" maxLength={200} error="Your name is missing" />
        <Field label="Comment" name="body" rows={4} hint="At most 5,000 characters" value="A text" />
        <div class="actions">
          <button type="submit">Send comment</button>
          <button type="submit" class="secondary">
            Request changes
          </button>
        </div>
      </form>
    </div>
  </PageShell>,
);

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

async function open(view: View) {
  const visited = await visit(browser, view);
  await visited.page.route("https://pages.example/**", (route) =>
    new URL(route.request().url()).pathname === stylesheetPath
      ? route.fulfill({ contentType: "text/css", body: stylesheet })
      : route.fulfill({ contentType: "text/html; charset=utf-8", body: sample }),
  );
  await visited.page.goto("https://pages.example/");
  return visited;
}

describe("the shell of every page", () => {
  it.each<View>(["phone", "no script"])("is accessible and fits in every look: %s", async (view) => {
    const visited = await open(view);
    await expectSound(visited, "layout");
    await visited.close();
  });

  it("takes the keyboard from the skip link to the form, each stop with a name", async () => {
    const { page, close } = await open("desktop");
    const stops: string[] = [];
    for (let stop = 0; stop < 5; stop += 1) {
      await page.keyboard.press("Tab");
      stops.push(await focused(page));
    }
    expect(stops).toEqual([
      "a Skip to content",
      "input Your name",
      "textarea Comment",
      "button Send comment",
      "button Request changes",
    ]);
    await close();
  });

  it("is one stylesheet of less than 20 KB", () => {
    expect(gzipSync(stylesheet).length).toBeLessThan(20_000);
  });
});
