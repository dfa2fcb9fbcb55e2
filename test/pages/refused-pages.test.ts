import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import worker from "../../src/worker.ts";
import { baseUrl } from "../support/partner.ts";
import { ownerAtHome } from "../support/settings.ts";
import { wordsOf } from "../support/words.ts";

/** HTML error pages for people, where a program gets JSON. */

const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
const open = (path: string, method = "GET") =>
  worker.fetch(new Request(baseUrl + path, { method, headers: { accept } }), env, createExecutionContext());

describe("in a browser", () => {
  it.each(["/nope", "/changelog", "/docs/nope", "/rpcs", "/.well-known/nope"])(
    "%s returns a 404 page [S23]",
    async (path) => {
      const answer = await open(path);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "text/html; charset=UTF-8"]);
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(answer.headers.get("x-request-id")).toMatch(/./);
      const page = await answer.text();
      expect(page).toContain('href="/docs"');
      expect(wordsOf(page)).toContain("There is nothing here");
    },
  );

  it("a form that is posted to the documentation gets a 405 page with Allow [S23]", async () => {
    const answer = await open("/docs/webhooks", "POST");
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect(await answer.text()).toContain('href="/docs/webhooks"');
  });

  it("an unavailable document returns a page with a retry link [S23]", async () => {
    const away = vi.spyOn(env.DOCS, "fetch").mockRejectedValue(new Error("The assets are away"));
    const answer = await open("/docs/webhooks?x=1");
    away.mockRestore();
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain('href="/docs/webhooks?x=1"');
  });

  it.each(["/api-v1/nope", "/api-nope", "/rpc/nope"])("%s still returns JSON", async (path) => {
    const answer = await open(path);
    expect(answer.headers.get("content-type")).toContain("json");
    expect(answer.ok).toBe(false);
  });
});

describe("a workspace's settings pages", () => {
  it("keep the menu on a 404 page [S23]", async () => {
    const { browser, base } = await ownerAtHome();
    for (const [answer, status] of [
      [await browser.fetch(`${base}/nope`), 404],
      [await browser.post(`${base}/plan`, {}), 405],
    ] as const) {
      const page = await answer.text();
      expect([answer.status, page.includes(`href="${base}/tokens"`)]).toEqual([status, true]);
      expect(page).not.toContain("who sent you the link");
    }
  });

  it("link to the admin's own workspaces if the URL names another one, whether or not it exists", async () => {
    const [{ browser }, other] = [await ownerAtHome(), await ownerAtHome()];
    const pages = [];
    for (const base of [other.base, "/settings/none"]) {
      const answer = await browser.fetch(`${base}/tokens`);
      expect(answer.status).toBe(404);
      pages.push(await answer.text());
    }
    expect(new Set(pages).size).toBe(1);
    expect(pages[0]).toContain('href="/settings"');
  });
});
