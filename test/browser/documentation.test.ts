import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { localGatewayKey } from "../../scripts/local/gateway-key.ts";
import { expectSound, focused, openBrowser, type View, visit } from "./browser.ts";
import { openSite, type Site } from "./site.ts";

let site: Site;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([openSite(), openBrowser()]);
});
afterAll(() => browser?.close());

const open = async (view: View, path: string) => {
  const visited = await visit(browser, view);
  const hosts = new Set<string>();
  visited.page.on("request", (request) => hosts.add(new URL(request.url()).host));
  await visited.page.goto(site.baseUrl + path);
  return { ...visited, hosts };
};

/** Checks that the button, the status and the response body are visible together. */
async function expectSeenTogether(page: Page, status: string) {
  const form = page.locator("form.try-it");
  const shown = form.getByText(status, { exact: true });
  await shown.waitFor();
  const { height = 0 } = page.viewportSize() ?? {};
  const seen = [
    form.getByRole("button", { name: "Send" }),
    shown,
    form.getByLabel("Response", { exact: true }),
  ];
  for (const part of seen) {
    const box = await part.boundingBox();
    expect(box && box.y > 0 && box.y + box.height <= height && box.height > 15).toBe(true);
  }
}

describe("a documentation page", () => {
  it.each(["/", "/docs", "/docs/first-call", "/docs/webhooks", "/docs/createTimeEntry", "/docs/changelog"])(
    "%s is accessible and fits the screen in every theme and size",
    async (path) => {
      const visited = await open("desktop", path);
      await expectSound(visited, `documentation ${path}`);
      expect([...visited.hosts]).toEqual([new URL(site.baseUrl).host]);
      await visited.close();
    },
  );

  it("can be read and navigated on a phone without JavaScript [R14]", async () => {
    const { page, close } = await open("no script", "/docs/createTimeEntry");
    await page.getByRole("button", { name: "Contents" }).click();
    await page
      .getByRole("navigation", { name: "Documentation" })
      .getByRole("link", { name: "Keep a copy" })
      .click();
    await page.getByRole("heading", { name: "Keep a copy up to date", level: 1 }).waitFor();
    await page.goto(`${site.baseUrl}/docs/createTimeEntry`);
    await page.getByText("By start and end").click();
    expect(await page.locator(".option:visible .required").count()).toBe(3);
    const code = page.getByRole("complementary", { name: "Example" });
    await code.getByText("Python", { exact: true }).click();
    expect(await code.locator("pre:visible").first().textContent()).toContain("from partner_api import");
    expect(await page.getByRole("searchbox").isVisible()).toBe(false);
    await close();
  });

  it("shows a first call that works unchanged with the token from npm start", async () => {
    const { page, close } = await open("no script", "/docs/first-call");
    const shown = (await page.locator("pre").first().textContent()) ?? "";
    const [, address = "", apikey = "", authorization = ""] =
      /curl '(.+)' \\\n {2}-H 'apikey: (.+)' \\\n {2}-H 'Authorization: (.+)'/.exec(shown) ?? [];
    const answer = await fetch(address, { headers: { apikey, authorization } });
    expect([answer.status, address]).toEqual([200, `${site.baseUrl}/api-v1/clients`]);
    await close();
  });
});

describe("in the documentation with JavaScript", () => {
  it("search finds pages by their text and works with the keyboard [R14]", async () => {
    const { page, errors, close } = await open("desktop", "/docs");
    await page.keyboard.press("Control+k");
    expect(await focused(page)).toMatch(/^input/);
    await page.keyboard.type("post included_revision_rounds");
    const found = page.locator("#found");
    await found.getByRole("link", { name: "Create a project" }).waitFor();
    await page.getByRole("searchbox").fill("webhook-id deduplicate");
    const first = found.getByRole("link", { name: "Receive webhooks: Deduplicate" });
    expect(await first.locator("mark").allTextContents()).toContain("webhook-id");
    for (const key of ["ArrowDown", "ArrowUp", "ArrowDown"]) await page.keyboard.press(key);
    expect(await focused(page)).toMatch(/^a\b.*Receive webhooks: Deduplicate/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/docs\/webhooks#deduplicate$/);
    await page.keyboard.press("/");
    await page.getByRole("searchbox").fill("qwertzuiop");
    await found.getByText("No results").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("a token fills in the examples, and each attempt at a write uses a new idempotency key", async () => {
    const { token } = await site.found("Docs", "client:read,client:write,project:read,project:write");
    const client = await site.post(token, "/api-v1/clients", { client_name: "Ada" });
    const visited = await open("phone", "/docs/first-call");
    const { page, errors, hosts, close } = visited;
    const written: { key: string | undefined; body: string | null }[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST")
        written.push({ key: request.headers()["idempotency-key"], body: request.postData() });
    });
    const use = async (value: string) => {
      await page.getByLabel("apikey", { exact: true }).fill(localGatewayKey());
      await page.getByLabel("Token", { exact: true }).fill(value);
      await page.getByRole("button", { name: "Use it" }).click();
    };
    await use("svc_nobodys");
    await page.getByText("Refused with 401: Invalid or missing API token").waitFor();
    await use(token);
    await page.getByText("This is Docs.").waitFor();
    await page.goto(`${site.baseUrl}/docs/createProject`);
    await page.getByText("With your token, and ids of your workspace.").waitFor();
    await page.getByRole("link", { name: "Try it" }).click();
    for (let time = 0; time < 2; time += 1) {
      const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
      await page.getByRole("button", { name: "Send", exact: true }).click();
      expect((await answered).status()).toBe(201);
    }
    await expectSeenTogether(page, "201 Created");
    expect(new Set(written.map(({ key }) => key)).size).toBe(2);
    for (const { body } of written) expect(JSON.parse(body ?? "").client_id).toBe(client.id);
    await page.goto(`${site.baseUrl}/docs/listClients`);
    await page.getByText("Optional parameters").click();
    await page.getByLabel("limit").fill("1");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("200 OK", { exact: true }).waitFor();
    expect(await page.locator("form figure code").textContent()).toContain(client.id);
    expect(errors).toEqual([]);
    expect([...hosts]).toEqual([new URL(site.baseUrl).host]);
    await close();
  });

  it("calls can be tried immediately with the token from npm start", async () => {
    const { page, errors, close } = await open("desktop", "/docs/getDeliverableSignOff");
    await page.getByText("With your token, and ids of your workspace.").waitFor();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expectSeenTogether(page, "200 OK");
    expect(errors).toEqual([]);
    await close();
  });

  it("the page remembers the chosen language", async () => {
    const { page, close } = await open("desktop", "/docs");
    await page.getByText("Python", { exact: true }).first().click();
    await page.goto(`${site.baseUrl}/docs/listInvoices`);
    expect(await page.locator("pre:visible").first().textContent()).toContain("from partner_api import");
    await close();
  });
});
