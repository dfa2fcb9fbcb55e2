import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkIn } from "../../scripts/local/mailbox.ts";
import {
  expectSound,
  focused,
  openBrowser,
  screenshot,
  scrolledToTarget,
  type View,
  type Visit,
  visit,
} from "./browser.ts";
import { openSite, type Site } from "./site.ts";

const poster = readFileSync(join(import.meta.dirname, "../../scripts/demo/poster.png")).toString("base64");
const figma = "https://www.figma.com/design/nrPSsILSYjesyc5UHjYYa4/Home";

let site: Site;
let browser: Browser;
let token: string;
let client_id: string;

beforeAll(async () => {
  [site, browser] = await Promise.all([openSite(), openBrowser()]);
  ({ token } = await site.found(
    "Studio Vinge",
    "client:write,deliverable:write,deliverable:send,deliverable:read",
  ));
  ({ id: client_id = "" } = await site.post(token, "/api-v1/clients", {
    client_name: "Nora Wind",
    email: "nora@northwind.example",
  }));
});
afterAll(async () => {
  await browser?.close();
});

interface Made {
  id: string;
  title: string;
  /** `path` is the bare link's path, and `personal` the e-mailed link's. */
  path: string;
  personal: string;
}

let made = 0;

async function inReview(work: object = { image_base64: poster }): Promise<Made> {
  made += 1;
  const title = `Launch poster ${made}`;
  const { id = "", share_url = "" } = await site.post(token, "/api-v1/deliverables", {
    title,
    client_id,
    ...work,
  });
  await site.post(token, `/api-v1/deliverables/${id}/versions`, {
    note: "Larger moon, as you asked.\nLighter type.",
  });
  await site.post(token, `/api-v1/deliverables/${id}/send`, {});
  const personal = linkIn(await site.mail(title));
  return { id, title, path: new URL(share_url).pathname, personal: new URL(personal).pathname };
}

const open = async (view: View, path: string): Promise<Visit> => {
  const visited = await visit(browser, view);
  await visited.page.goto(site.baseUrl + path);
  return visited;
};

async function comment(page: Page, text: string, button = "Send comment"): Promise<void> {
  await page.getByLabel("Your name").fill("Nora Wind");
  await page.getByLabel("Comment").fill(text);
  await page.getByRole("button", { name: button }).click();
}

async function sign(page: Page): Promise<void> {
  await page.getByLabel("Full name").fill("Nora Wind");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Sign off" }).click();
}

describe("a client's review", () => {
  it.each<View>(["phone", "no script"])(
    "works from the e-mail to the certificate in every theme and size: %s [P1]",
    async (view) => {
      const { title, path, personal } = await inReview();
      const visited = await open(view, personal);
      const { page } = visited;
      expect(new URL(page.url()).pathname).toBe(path);
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(title);
      await expectSound(visited, "review open");

      await comment(page, "Could the moon be larger?\nAnd the type lighter?", "Request changes");
      await page.getByText("Changes requested").first().waitFor();
      await page.getByText("And the type lighter?").waitFor();
      await expectSound(visited, "review talked");

      await sign(page);
      await page.getByText("accepted version 2").first().waitFor();
      expect(await page.locator("form").count()).toBe(0);
      await expectSound(visited, "review signed");

      await page.getByRole("link", { name: "Open the certificate" }).click();
      await page.getByRole("heading", { level: 1, name: "Nora Wind accepted" }).waitFor();
      await expectSound(visited, "review certificate");
      await visited.close();
    },
  );

  it("shows the conversation above the forms on a desktop, even if there is a reply form", async () => {
    const { personal, path } = await inReview();
    const visited = await open("desktop", personal);
    const { page } = visited;
    const box = async (selector: string) => {
      const found = await page.locator(selector).boundingBox();
      if (!found) throw new Error(`${selector} is not shown`);
      return { top: found.y, bottom: found.y + found.height, height: found.height };
    };
    expect((await box(".talk")).height).toBeGreaterThan(150);
    const form = page.locator("#sign-off").getByRole("button", { name: "Sign off" });
    const button = await form.boundingBox();
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(900);

    const email = "owner@studio-vinge.example";
    await fetch(`${site.baseUrl}/sign-in`, { method: "POST", body: new URLSearchParams({ email }) });
    const { text } = await site.mail("Sign in to Countersign");
    await page.goto(/^http\S+$/m.exec(text)?.[0] ?? "");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(/settings/);
    await page.goto(site.baseUrl + path);
    await page.getByRole("link", { name: "Open the agency's view" }).click();
    const replyForm = "[aria-labelledby=reply-heading]";
    await page.locator(replyForm).waitFor();
    await page.waitForLoadState("load");
    const [talk, reply] = [await box(".talk"), await box(replyForm)];
    expect(talk.height).toBeGreaterThan(150);
    expect(reply.top).toBeGreaterThanOrEqual(talk.bottom);
    await page.getByText("Nora Wind").first().waitFor();
    await expectSound(visited, "review agency");
    await visited.close();
  });

  it("lets a visitor with the bare link confirm a code and then sign off [P17]", async () => {
    const { title, path } = await inReview({ embed_url: "https://intranet.example.com/poster" });
    const visited = await open("phone", path);
    const { page } = visited;
    expect(await page.getByRole("button", { name: "Sign off" }).count()).toBe(0);
    await expectSound(visited, "review by link");
    await page.getByRole("button", { name: "E-mail me a code" }).click();
    await page.getByLabel("Code").fill("000000");
    await page.getByRole("button", { name: "Confirm code" }).click();
    expect(await page.getByRole("alert").first().textContent()).toContain("That code is wrong");
    await expectSound(visited, "review wrong code");
    const { subject } = await site.mail(`is your code for ${title}`);
    await page.getByLabel("Code").fill(subject.slice(0, 6));
    await page.getByRole("button", { name: "Confirm code" }).click();
    await sign(page);
    await page.getByText("accepted version 2").first().waitFor();
    expect(visited.errors).toEqual([]);
    await visited.close();
  });

  it("has pins, zoom and an overlay of two versions [P21, P22]", async () => {
    const { id, path, personal } = await inReview();
    const visited = await open("phone", personal);
    const { page } = visited;
    const picture = page.getByRole("button", { name: "Choose a spot" });
    const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {};
    await picture.click({ position: { x: width * 0.25, y: height * 0.5 } });
    expect(Number(await page.locator("[name=across]").inputValue())).toBeCloseTo(25, 0);
    expect(await focused(page)).toBe("textarea Comment");
    expect(await page.locator(".draft text").textContent()).toBe("1");
    await page.keyboard.type("The moon");
    await page.keyboard.press("Escape");
    expect(await page.locator(".draft").count()).toBe(0);
    expect(await page.getByLabel("Comment").inputValue()).toBe("The moon");

    // Even a pin at the bottom of the picture stays visible above the sheet.
    await picture.click({ position: { x: width * 0.5, y: height * 0.98 } });
    const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0;
    await expect.poll(async () => (await top("#respond")) - (await top(".draft"))).toBeGreaterThan(0);
    expect(await top(".draft")).toBeGreaterThan(0);
    expect(await page.getByLabel("Across (%)").isVisible()).toBe(false);
    await expectSound(visited, "review pinning");
    await page.keyboard.type(" here");
    await page.getByRole("button", { name: "Send comment" }).click();
    await page.getByRole("link", { name: "Comment 1, by Nora Wind" }).click();
    const said = () => page.evaluate<string>("document.querySelector(':target').textContent");
    expect(await said()).toContain("The moon here");
    // The script converts times to the reader's time zone.
    await expect.poll(said).not.toContain("UTC");
    await expectSound(visited, "review pinned");

    await page.getByRole("link", { name: "Full size" }).click();
    const zoomed = page.getByRole("dialog", { name: "version 2" });
    const widthOf = async () => (await zoomed.locator("img").boundingBox())?.width ?? 0;
    const fitting = await widthOf();
    await zoomed.getByRole("button", { name: "Zoom in" }).click();
    expect(await widthOf()).toBeGreaterThan(fitting);
    await page.keyboard.press("Escape");
    expect(await page.getByRole("dialog").count()).toBe(0);

    await site.post(token, `/api-v1/deliverables/${id}/versions`, { image_base64: poster });
    await page.goto(`${site.baseUrl}${path}?compare=2,3`);
    await page.getByRole("button", { name: "One over the other" }).click();
    await page.getByLabel("How much of each").fill("20");
    await expectSound(visited, "review compared");
    await visited.close();
  });

  it("verifies a sign-off proof in the browser, or through the form without JavaScript [P23]", async () => {
    const { personal, path, title } = await inReview();
    const visited = await open("phone", personal);
    await sign(visited.page);
    await visited.page.getByRole("link", { name: "Open the certificate" }).waitFor();
    const proof = await (await fetch(`${site.baseUrl}${path}/certificate/proof.jws`)).text();
    await visited.page.goto(`${site.baseUrl}/verify#${proof}`);
    await visited.page.getByAltText("The version that was signed off").waitFor();
    await visited.close();
    for (const view of ["phone", "no script"] as const) {
      const certificate = await open(view, `${path}/certificate`);
      const { page } = certificate;
      await page.getByRole("button", { name: "Check the proof" }).click();
      await page.getByRole("heading", { name: "Genuine and unchanged" }).waitFor();
      expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe(
        view === "phone" ? `/verify#${proof}` : "/verify",
      );
      await certificate.close();
    }
    const image = { name: "poster.png", mimeType: "image/png", buffer: Buffer.from(poster, "base64") };
    for (const view of ["phone", "no script"] as const) {
      const checking = await open(view, "/verify");
      const { page } = checking;
      let sent = 0;
      page.on("request", (request) => {
        if (request.method() === "POST") sent += 1;
      });
      await page.getByLabel("Proof", { exact: true }).fill(proof);
      await page.getByLabel("The image").setInputFiles(image);
      await page.getByRole("button", { name: "Check it" }).click();
      await page.getByRole("heading", { name: "Genuine and unchanged" }).waitFor();
      expect(await page.locator("[data-verdict]").textContent()).toContain(`version 2 of ${title}`);
      expect(await page.locator("[data-verdict]").textContent()).toContain("to the last byte");
      await expectSound(checking, "verify");
      await page.getByLabel("Proof", { exact: true }).fill(proof.replace(".", ".A"));
      await page.getByRole("button", { name: "Check it" }).click();
      await page.getByRole("heading", { name: "Not genuine" }).waitFor();
      expect(sent).toBe(view === "phone" ? 0 : 2);
      await checking.close();
    }
  });

  it("shows why a form was rejected and keeps the entered values", async () => {
    const { id, personal } = await inReview();
    const visited = await open("phone", personal);
    const { page } = visited;
    await page.getByRole("button", { name: "Choose a spot" }).click();
    await page.getByLabel("Comment").fill("What I typed");
    await site.post(token, `/api-v1/deliverables/${id}/versions`, { title: "Newer poster" });
    await page.getByRole("button", { name: "Send comment" }).click();
    // The alert is in the form, which reopens at the pin.
    expect(await page.locator("#respond").getByRole("alert").textContent()).toContain("newer version");
    expect(await page.locator(".draft").getAttribute("x")).toBe("50%");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Newer poster");
    expect(await page.getByLabel("Comment").inputValue()).toBe("What I typed");
    await expectSound(visited, "review refused");
    await visited.close();
  });

  it("can be completed with the keyboard, and every focus stop has a name", async () => {
    const { personal } = await inReview();
    const visited = await open("desktop", personal);
    const { page } = visited;
    const stops: string[] = [];
    const tab = async () => {
      await page.keyboard.press("Tab");
      stops.push(await focused(page));
    };
    const tabTo = async (stop: string) => {
      for (let pressed = 0; pressed < 20 && !stops.at(-1)?.startsWith(stop); pressed += 1) await tab();
      expect(stops.at(-1)).toContain(stop);
    };
    await tabTo("button Choose a spot");
    await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await focused(page)).toBe("textarea Comment");
    await page.keyboard.type("By keyboard");
    await tab();
    await page.keyboard.press("Enter");
    await page.getByText("By keyboard").waitFor();
    await scrolledToTarget(page);
    const pin = page.locator(".pins svg", {
      has: page.getByRole("link", { name: "Comment 1, by Nora Wind" }),
    });
    expect([await pin.getAttribute("x"), await pin.getAttribute("y")]).toEqual(["40%", "51%"]);
    await tabTo("input Full name");
    await page.keyboard.type("Nora Wind");
    await tab();
    await page.keyboard.press("Space");
    await tab();
    expect(stops.at(-1)).toBe("button Sign off");
    await page.keyboard.press("Enter");
    await page.getByText("accepted version 2").first().waitFor();
    expect(stops.filter((stop) => /^\w+ $/.test(stop))).toEqual([]);
    await visited.close();
  });

  it("loads nothing from another host until the visitor requests it", async () => {
    const { path } = await inReview({ embed_url: figma });
    const visited = await visit(browser, "desktop");
    const { page } = visited;
    const hosts = new Set<string>();
    page.on("request", (request) => hosts.add(new URL(request.url()).host));
    await page.route("https://embed.figma.com/**", (route) =>
      route.fulfill({ contentType: "text/html", body: "<title>Figma</title>A design" }),
    );
    await page.goto(site.baseUrl + path);
    await expectSound(visited, "review embed offered");
    expect([...hosts]).toEqual([new URL(site.baseUrl).host]);
    await page.getByRole("link", { name: "Show it here" }).click();
    await page.frameLocator("iframe").getByText("A design").waitFor();
    expect(hosts).toContain("embed.figma.com");
    await expectSound(visited, "review embed loaded");
    await visited.close();
  });

  it("needs only one HTML file, one stylesheet and one deferred script for its first paint", async () => {
    const { path } = await inReview();
    const visited = await visit(browser, "phone");
    const loaded: string[] = [];
    visited.page.on("request", (request) => {
      const type = request.resourceType();
      // The first paint does not wait for fonts (font-display: swap).
      if (type !== "font") loaded.push(`${type} ${new URL(request.url()).pathname}`);
    });
    await visited.page.goto(site.baseUrl + path);
    expect(loaded.sort()).toEqual([
      `document ${path}`,
      `image ${path}/versions/1/image`,
      `image ${path}/versions/2/image`,
      "script /assets/review.js",
      "stylesheet /assets/pages.css",
    ]);
    for (const file of [path, "/assets/pages.css", "/assets/review.js"]) {
      const answer = await fetch(site.baseUrl + file);
      expect(gzipSync(await answer.arrayBuffer()).length).toBeLessThan(20_000);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
    await visited.close();
  });

  it("shows the same page for every unknown link", async () => {
    const visited = await open("phone", "/review/nobodys-link");
    expect(await visited.page.getByRole("heading", { level: 1 }).textContent()).toBe("There is nothing here");
    await expectSound(visited, "review not found");
    await visited.close();
  });
});

describe("the printed certificate", () => {
  it.each([
    ["A4", 794],
    ["Letter", 816],
  ] as const)("fits on %s in black on white, even in dark mode", async (format, width) => {
    const { personal, path } = await inReview();
    const visited = await open("desktop", personal);
    const { page } = visited;
    await page.emulateMedia({ colorScheme: "dark" });
    await sign(page);
    await page.goto(`${site.baseUrl}${path}/certificate`);
    const pdf = await page.pdf({ format });
    const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
    expect(pages).toBeGreaterThan(0);
    expect(pages).toBeLessThanOrEqual(3);
    await page.emulateMedia({ media: "print" });
    // The paper's width minus the 18 mm margins.
    await page.setViewportSize({ width: width - 136, height: 1000 });
    await screenshot(page, `certificate ${format}`);
    const [back, text] = await page.evaluate<[string, string]>(
      "[getComputedStyle(document.documentElement).backgroundColor, " +
        "getComputedStyle(document.querySelector('dd')).color]",
    );
    expect([back, text]).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
    expect(
      await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"),
    ).toBe(true);
    await visited.close();
  });
});
