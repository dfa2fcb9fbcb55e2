import { createServer, type Server } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { localGatewayKey } from "../../scripts/local/gateway-key.ts";
import { openPort } from "../support/open-port.ts";
import { expectSound, focused, openBrowser, scrollsSideways, type View, visit } from "./browser.ts";
import { openSite, type Site } from "./site.ts";

const slug = "studio-halden";
const owner = `owner@${slug}.example`;
const base = `/settings/${slug}`;

let site: Site;
let browser: Browser;
let receiver: Server;
let hookUrl: string;
let answer = 200;
/** The first test's session, which the other tests share. */
let cookies: Awaited<ReturnType<BrowserContext["cookies"]>> = [];

beforeAll(async () => {
  receiver = createServer((_, response) => response.writeHead(answer).end(`answered ${answer}`));
  hookUrl = `${await openPort(receiver)}/hooks`;
  [site, browser] = await Promise.all([openSite(), openBrowser()]);
  await site.found("Studio Halden", "client:read");
});
afterAll(async () => {
  await browser?.close();
  receiver?.close();
});

const open = async (view: View, path: string) => {
  const visited = await visit(browser, view);
  await visited.page.context().addCookies(cookies);
  await visited.page.goto(site.baseUrl + path);
  return visited;
};

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const follow = (page: Page, name: string) => page.getByRole("link", { name }).click();
const apiStatus = async (token: string) =>
  (
    await fetch(`${site.baseUrl}/api-v1/clients`, {
      headers: { apikey: localGatewayKey(), authorization: `Bearer ${token}` },
    })
  ).status;

describe("an admin without JavaScript", () => {
  it("signs in, creates a token, uses it, and gets a 401 after revoking it", async () => {
    const { page, errors, close } = await visit(browser, "no script");
    await page.goto(`${site.baseUrl}${base}/tokens`);
    expect(new URL(page.url()).pathname).toBe("/sign-in");
    await page.getByLabel("E-mail address").fill(owner);
    await press(page, "E-mail me a link");
    await page.getByRole("status").getByText("a link is on its way").waitFor();
    const { text } = await site.mail("Sign in to Countersign");
    await page.goto(/^http\S+$/m.exec(text)?.[0] ?? "");
    await press(page, "Sign in");
    await page.waitForURL(`${site.baseUrl}${base}/tokens`);
    cookies = await page.context().cookies();
    await follow(page, "Create token");

    await page.getByRole("checkbox", { checked: true }).first().waitFor();
    const chosen = await page
      .getByRole("checkbox", { checked: true })
      .evaluateAll((boxes) => boxes.map((box) => box.getAttribute("value")));
    expect(chosen).toEqual(["client:read", "project:read", "time:read", "invoice:read", "deliverable:read"]);
    expect(await page.getByLabel("invoice:issue").isDisabled()).toBe(true);
    await page.getByLabel("Name", { exact: true }).fill("Time tracker");
    await press(page, "Create token");
    const token = await page.getByLabel("Token", { exact: true }).inputValue();
    expect(await apiStatus(token)).toBe(200);
    await follow(page, "Done");
    await page
      .getByRole("row", { name: /Time tracker/ })
      .getByRole("link", { name: "Revoke" })
      .click();
    await press(page, "Revoke");
    await page
      .getByRole("row", { name: /Time tracker/ })
      .getByText("Revoked")
      .waitFor();
    expect(await apiStatus(token)).toBe(401);
    expect(errors).toEqual([]);
    await close();
  });
});

describe("an admin", () => {
  it("adds an endpoint, sees a test arrive, and replays a failed delivery", async () => {
    const { page, errors, close } = await open("desktop", `${base}/webhooks`);
    await follow(page, "Add endpoint");
    await page.getByLabel("URL").fill(hookUrl);
    await press(page, "Add endpoint");
    expect(await page.getByLabel("Secret").inputValue()).toMatch(/^whsec_/);
    await follow(page, "Done");
    const endpoint = page.url();
    await press(page, "Send test");
    await page.getByText("Delivered", { exact: true }).waitFor();
    answer = 400;
    await page.goto(endpoint);
    await press(page, "Send test");
    await page.getByText("Gave up", { exact: true }).waitFor();
    await page.getByText("answered 400").waitFor();
    const dead = page.url();
    await page.goto(`${site.baseUrl}${base}/webhooks`);
    await page.getByText("Failing", { exact: true }).waitFor();
    answer = 200;
    await page.goto(dead);
    await press(page, "Replay");
    await page.getByText("Delivered", { exact: true }).waitFor();
    await page.goto(`${site.baseUrl}${base}/webhooks`);
    await page.getByText("Healthy", { exact: true }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("replays many deliveries in automatic steps, or step by step with a button without JavaScript", async () => {
    const { page, errors, close } = await open("desktop", `${base}/webhooks`);
    await follow(page, hookUrl);
    const endpoint = page.url();
    answer = 400;
    for (let dead = 0; dead < 2; dead += 1) {
      await page.goto(endpoint);
      await press(page, "Send test");
      await page.getByText("Gave up", { exact: true }).waitFor();
    }
    answer = 200;
    await page.goto(endpoint);
    await page.getByRole("link", { name: "Replay 2 deliveries" }).click();
    await page.getByRole("button", { name: "Replay 2", exact: true }).waitFor();
    const asked = `${page.url()}&done=1&total=9`;
    await page.goto(asked);
    await page.getByText("1 of 9 deliveries replayed. 8 are left.").waitFor();
    expect(page.url()).toBe(asked);
    await press(page, "Continue");
    await page.waitForURL(/replayed=3$/);
    await page.getByRole("status").getByText("3 deliveries are being sent again").waitFor();
    expect(errors).toEqual([]);
    await close();
    const byHand = await open("no script", new URL(asked).pathname + new URL(asked).search);
    await press(byHand.page, "Continue");
    await byHand.page.waitForURL(/replayed=1$/);
    await byHand.close();
    const refused = await open("desktop", new URL(asked).pathname + new URL(asked).search);
    const id = endpoint.split("/").at(-1) ?? "";
    await site.admin("disable-webhook-endpoint", { organization: slug, id });
    await press(refused.page, "Continue");
    await refused.page.getByRole("alert").getByText("This endpoint is disabled (enable it first)").waitFor();
    await refused.close();
    await site.admin("enable-webhook-endpoint", { organization: slug, id });
  });

  it("submits one form when a button is pressed twice", async () => {
    const { page, errors, close } = await open("desktop", `${base}/webhooks/new`);
    const posts: string[] = [];
    /** Holds back requests until the second press, so that the page does not change in between. */
    let pressed = Promise.withResolvers<void>();
    await page.route("**/*", async (route) => {
      const { pathname } = new URL(route.request().url());
      if (route.request().method() === "POST") {
        posts.push(pathname.replace(/[\da-f-]{36}/, ":id"));
        await pressed.promise;
      }
      // Simulates a slow network. The page waits for its script, so nothing can be pressed before the script runs.
      if (pathname === "/assets/settings.js") await page.waitForTimeout(500);
      await route.continue();
    });
    const twice = async (name: string) => {
      const button = page.getByRole("button", { name, exact: true });
      await button.scrollIntoViewIfNeeded();
      const before = posts.length;
      const { x = 0, y = 0 } = (await button.boundingBox()) ?? {};
      pressed = Promise.withResolvers();
      await page.mouse.click(x + 9, y + 9);
      await expect.poll(() => posts.length, { timeout: 10_000 }).toBeGreaterThan(before);
      await page.mouse.click(x + 9, y + 9);
      // Leaves time for a second request, which nothing else would wait for.
      await page.waitForTimeout(150);
      pressed.resolve();
    };
    await page.getByLabel("URL").fill(hookUrl.replace("127.0.0.1", "localhost"));
    await twice("Add endpoint");
    await follow(page, "Done");
    await follow(page, "Rotate secret");
    await twice("Rotate secret");
    await page.getByText("The previous secret also signs until").waitFor();
    await page.goto(`${site.baseUrl}${base}/tokens/new`);
    await page.getByLabel("Name", { exact: true }).fill("Once");
    await twice("Create token");
    await page.getByRole("heading", { name: "Token created" }).waitFor();
    expect(posts).toEqual([`${base}/webhooks`, `${base}/webhooks/:id/rotate`, `${base}/tokens`]);
    expect(errors).toEqual([]);
    await close();
  });

  it("can see every column of a table, even if a name is long and has no spaces", async () => {
    const { page, close } = await open("desktop", `${base}/tokens/new`);
    await page.getByLabel("Name", { exact: true }).fill("Überverantwortlichkeit".repeat(9));
    await press(page, "Create token");
    await follow(page, "Done");
    const name = page.getByRole("rowheader", { name: /Überverantwortlichkeit/ });
    await name.waitFor();
    // The columns are defined in the stylesheet, which must be loaded.
    await page.waitForLoadState("load");
    expect((await name.boundingBox())?.width).toBeLessThan(600);
    await page.goto(`${site.baseUrl}${base}/audit-log`);
    await page.getByText(/created the token Überverantwortlichkeit/).waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    await close();
  });

  it("can use the sections and create a token with the keyboard", async () => {
    const { page, close } = await open("desktop", `${base}/tokens/new`);
    const stops: string[] = [];
    for (let stop = 0; stop < 4; stop += 1) {
      await page.keyboard.press("Tab");
      stops.push(await focused(page));
    }
    expect(stops).toEqual(["a Skip to content", "a Countersign", "a Overview", "a Tokens"]);
    await page.getByLabel("Name", { exact: true }).focus();
    await page.keyboard.type("By keyboard");
    // A preset selects its scopes and keeps the entered values.
    await page.getByRole("link", { name: "Time tracker" }).press("Enter");
    await expect.poll(() => page.locator("[name=scopes]:checked").count()).toBe(4);
    await page.getByLabel("Name", { exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Token created" }).waitFor();
    await close();
  });

  it("is shown why a form was rejected, and can cancel a deletion", async () => {
    const { page, close } = await open("phone", `${base}/webhooks/new`);
    await page.getByLabel("URL").fill("https://10.0.0.1/");
    await press(page, "Add endpoint");
    await page.getByRole("alert").waitFor();
    await page.goto(`${site.baseUrl}${base}/webhooks`);
    await follow(page, hookUrl);
    await follow(page, "Delete");
    await page.getByRole("heading", { name: /^Delete/ }).waitFor();
    await follow(page, "Cancel");
    await page.getByRole("heading", { name: "127.0.0.1" }).waitFor();
    await close();
  });
});

it("finds a request by its id without JavaScript [U7]", async () => {
  const { token = "" } = await site.admin("create-api-token", {
    organization: slug,
    name: "Quoted",
    scopes: "time:read",
  });
  const headers = { apikey: localGatewayKey(), authorization: `Bearer ${token}` };
  const refused = await fetch(`${site.baseUrl}/api-v1/clients`, { headers });
  const { page, close } = await open("no script", `${base}/requests`);
  await page.getByLabel("Request id").fill(refused.headers.get("x-request-id") ?? "");
  await press(page, "Find");
  await page.getByRole("heading", { name: "GET /api-v1/clients" }).waitFor();
  await page.getByText("Refused: 403").waitFor();
  await close();
});

it("reads an app's request in every view, and grants it with the keyboard without JavaScript [J4]", async () => {
  const request = new URLSearchParams({
    response_type: "code",
    client_id: "http://127.0.0.1",
    redirect_uri: hookUrl,
    scope: "client:read invoice:read deliverable:send",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
    webhook_url: hookUrl,
    webhook_events: "money,invoice.paid",
  });
  const address = `/oauth/authorize?${request}`;
  const visited = await open("phone", address);
  for (const [name, path] of Object.entries({ asked: address, wrong: address.replace("S256", "plain") })) {
    await visited.page.goto(site.baseUrl + path);
    await expectSound(visited, `connect ${name}`);
  }
  await visited.close();
  const { page, close } = await open("no script", address);
  expect(await page.getByLabel("E-mail a client a review link").isChecked()).toBe(false);
  for (let keys = 0; keys < 20 && (await focused(page)) !== "button Connect"; keys += 1)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("code")?.length === 43);
  await close();
});

/** The URLs of the pages in the menu and of the forms for new records. */
const namedPages = async (page: Page): Promise<string[]> => {
  const links = await page.locator(`#menu li a[href^="${base}"]`).all();
  const addresses = await Promise.all(links.map((link) => link.getAttribute("href")));
  return [...addresses.map(String), `${base}/tokens/new`, `${base}/webhooks/new`];
};

describe("every page", () => {
  it.each<View>(["phone", "no script"])(
    "is accessible and fits the screen in every theme and size: %s [S4]",
    async (view) => {
      const visited = await open(view, `${base}/webhooks`);
      const { page } = visited;
      const endpoint = (await page.getByRole("link", { name: hookUrl }).getAttribute("href")) ?? "";
      await page.goto(`${site.baseUrl}${base}/deliveries`);
      const delivery = (await page.locator("tbody th a").first().getAttribute("href")) ?? "";
      const id = endpoint.split("/").at(-1);
      const replay = `${base}/deliveries/replay?endpoint=${id}`;
      const listed: unknown = await site.admin("list-api-tokens", { organization: slug });
      const isRevoked = ({ revoked_at }: { revoked_at: string | null }) => revoked_at !== null;
      const all = listed as { id: string; revoked_at: string | null }[];
      const tokens = [all.find(isRevoked)?.id, all.find((token) => !isRevoked(token))?.id];
      const disabled = await site.admin("create-webhook-endpoint", {
        organization: slug,
        url: hookUrl.replace("hooks", "disabled"),
        description: "Books",
      });
      await site.admin("disable-webhook-endpoint", { organization: slug, id: disabled.id ?? "" });
      await page.goto(`${site.baseUrl}${base}/requests`);
      const request = (await page.locator("tbody th a").first().getAttribute("href")) ?? "";
      const paths = [
        ...(await namedPages(page)),
        `${base}/requests?status=4xx&since=2026-01-31T09:30`,
        request,
        endpoint,
        delivery,
        `${endpoint}/rotate`,
        `${replay}&done=2000&total=10000`,
      ];
      // Pages with no JavaScript behavior need only one check.
      const others = [
        replay,
        ...tokens.flatMap((token) =>
          ["revoke", "roll", "addresses"].map((ask) => `${base}/tokens/${token}/${ask}`),
        ),
        `${base}/webhooks/${disabled.id}`,
        `${base}/deliveries/replay?endpoint=${disabled.id}`,
        `${base}/deliveries?endpoint=${id}`,
      ];
      if (view === "phone") paths.push(...others);
      for (const [index, path] of [...paths, "/sign-out", "/sign-in?sent", "/sign-in"].entries()) {
        await page.goto(site.baseUrl + path);
        await expectSound(visited, `settings ${index}`);
      }
      await visited.close();
    },
  );

  it("is accessible and fits the screen on a plan without API access and with several workspaces", async () => {
    const lean = await site.admin("create-organization", {
      name: "Studio Halden",
      slug: "studio-lean",
      plan: "free",
      owner_email: owner,
    });
    const visited = await open("phone", "/settings");
    const { page } = visited;
    await page.getByRole("link", { name: /Studio Halden studio-lean · Owner · Free/ }).waitFor();
    const leanBase = `/settings/${lean.slug}`;
    const paths = ["/settings", ...["tokens", "plan"].map((name) => `${leanBase}/${name}`)];
    for (const [index, path] of paths.entries()) {
      await page.goto(site.baseUrl + path);
      await expectSound(visited, `settings lean ${index}`);
    }
    await visited.close();
  });
});

it("shows sent e-mails locally, as text and as HTML [S20]", async () => {
  await fetch(`${site.baseUrl}/sign-in`, { method: "POST", body: new URLSearchParams({ email: owner }) });
  await site.mail("Sign in to Countersign");
  const visited = await open("phone", "/dev/mails");
  const { page } = visited;
  await expectSound(visited, "dev mails");
  await page.getByRole("link", { name: "Sign in to Countersign" }).first().click();
  await expectSound(visited, "dev mail");
  await page.getByRole("heading", { name: "As plain text" }).waitFor();
  await page.getByRole("link", { name: "As a mail program shows it" }).click();
  await page.getByRole("link", { name: "Sign in" }).waitFor();
  expect(visited.errors).toEqual([]);
  await visited.close();
});

describe("the settings layout", () => {
  const ofEach = <T>(page: Page, selector: string, expression: string): Promise<T[]> =>
    page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => ${expression})`);
  const height = "one.getBoundingClientRect().height";
  const openStyled = async (view: View, path: string) => {
    const visited = await open(view, path);
    await visited.page.waitForLoadState("load");
    return visited;
  };
  let disabled: string;
  beforeAll(async () => {
    const url = hookUrl.replace("hooks", "together");
    const { id = "" } = await site.admin("create-webhook-endpoint", { organization: slug, url });
    await site.admin("disable-webhook-endpoint", { organization: slug, id });
    disabled = `${base}/webhooks/${id}`;
  });

  it.each<View>(["phone", "desktop"])(
    "has buttons of the same height that are large enough to touch: %s",
    async (view) => {
      const { page, close } = await openStyled(view, disabled);
      const heights = await ofEach<number>(page, "[aria-labelledby=changes-heading] :is(button, a)", height);
      expect(new Set(heights)).toEqual(new Set([view === "phone" ? 44 : 36]));
      await close();
    },
  );

  it("has click targets of at least 24 pixels", async () => {
    const { page, close } = await openStyled("phone", disabled);
    for (const path of await namedPages(page)) {
      await page.goto(site.baseUrl + path);
      const small = await ofEach<string>(
        page,
        "main :is(a, button, input:not([type=hidden]), select, summary, textarea)",
        `(() => {
          const { width, height } = (one.closest("label") ?? one).getBoundingClientRect();
          const isInText = one.closest("p") !== null;
          return width > 0 && !isInText && Math.min(width, height) < 24 ? path(one) : "";
          function path(element) { return element.outerHTML.slice(0, 90); }
        })()`,
      );
      expect([path, small.filter(Boolean)]).toEqual([path, []]);
    }
    await close();
  });

  it("has a phone menu that works without JavaScript", async () => {
    const { page, close } = await openStyled("no script", `${base}/tokens`);
    const plan = page.getByRole("link", { name: "Plan", exact: true });
    expect(await plan.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).click();
    await plan.click();
    await page.getByRole("heading", { name: "Plan", exact: true }).waitFor();
    await close();
  });

  it("has copy buttons, and times in the reader's time zone", async () => {
    const { page, close } = await openStyled("desktop", `${base}/tokens/new`);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByLabel("Name", { exact: true }).fill("Copied");
    await press(page, "Create token");
    await page.getByRole("button", { name: "Copy" }).first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toBe(await page.getByLabel("Token", { exact: true }).inputValue());
    await page.goto(`${site.baseUrl}${base}/audit-log`);
    const time = page.locator("time[data-local]").first();
    expect(await time.textContent()).toMatch(/^\d\d:\d\d$/);
    expect(await time.getAttribute("title")).toMatch(/ UTC$/);
    await close();
  });

  it("has a chart with readable hours on a phone", async () => {
    const { page, close } = await openStyled("phone", disabled);
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(() => page.evaluate("innerWidth")).toBe(width);
      const heights = await ofEach<number>(page, ".chart text", height);
      expect(heights.length).toBeGreaterThan(6);
      expect(Math.min(...heights)).toBeGreaterThan(11);
    }
    await close();
  });

  it.each([
    ["deliveries", ":is(td, th) time"],
    ["tokens", ":is(td, th) :is(time, code)"],
  ])("keeps times and token prefixes on one line on a phone: %s", async (section, selector) => {
    const { page, close } = await openStyled("phone", `${base}/${section}`);
    const heights = await ofEach<number>(page, selector, height);
    expect(heights.length).toBeGreaterThan(0);
    expect(Math.max(...heights)).toBeLessThan(30);
    await close();
  });
});

it("the sign-out button ends the session", async () => {
  const { page, close } = await open("desktop", "/sign-out");
  await press(page, "Sign out");
  await page.goto(`${site.baseUrl}${base}/tokens`);
  expect(new URL(page.url()).pathname).toBe("/sign-in");
  await close();
});
