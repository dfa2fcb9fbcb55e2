import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import openapi from "../../openapi.json";
import { documentation } from "../../src/http/documentation.ts";
import { baseUrl, call } from "../support/partner.ts";

const nobody = { token: "" };
const asNobody = { token: null, headers: { apikey: "" } };
const textAt = async (path: string) => {
  const answer = await call(nobody, path, asNobody);
  return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
};

const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, summary }]) => ({
    call: `${method.toUpperCase()} ${path}`,
    operationId,
    summary,
  })),
);

const linksOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="([^"#]+)/g)].map(([, address = ""]) => address);

describe("the site, which needs no key,", () => {
  it("links to the documentation from /, and to the sign-in or, with a session, the settings [R14]", async () => {
    const answer = await call(nobody, "/", asNobody);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.headers.get("link")).toBe('</.well-known/api-catalog>; rel="api-catalog"');
    expect(linksOf(await answer.text())).toEqual(expect.arrayContaining(["/docs", "/sign-in"]));
    const withSession = await call(nobody, "/", {
      headers: { cookie: `__Host-session=${"s".repeat(43)}` },
    });
    const links = linksOf(await withSession.text());
    expect([links.includes("/settings"), links.includes("/sign-in")]).toEqual([true, false]);
  });

  it("links from /docs to every page, without a broken link [R14]", async () => {
    const { text } = await textAt("/docs");
    expect((await textAt("/docs/")).text).toBe(text);
    const pages = linksOf(text).filter((link) => /^\/docs\/[\w-]+$/.test(link));
    expect(pages).toEqual(
      expect.arrayContaining(operations.map(({ operationId }) => `/docs/${operationId}`)),
    );
    const known = new Map<string, string>();
    const read = async (address: string) => {
      const kept = known.get(address);
      if (kept !== undefined) return kept;
      const { status, type, text } = await textAt(address);
      expect([address, status]).toEqual([address, 200]);
      known.set(address, type?.startsWith("text/html") ? text : "");
      return known.get(address) ?? "";
    };
    for (const page of new Set(pages))
      for (const address of new Set(linksOf(await read(page)))) {
        if (address.startsWith("/assets/") || /^https?:/.test(address)) continue;
        const html = await read(address.startsWith("/sign-in") ? "/" : address);
        for (const [, fragment = ""] of (await read(page)).matchAll(
          new RegExp(`href="${address}#([^"]+)"`, "g"),
        ))
          expect([page, address, html.includes(`id="${fragment}"`)]).toEqual([page, address, true]);
      }
  });

  it("loads nothing from another host, and cannot be framed or sniffed [R14]", async () => {
    for (const path of ["/", "/docs", "/docs/createTimeEntry", "/docs/webhooks"]) {
      const answer = await call(nobody, path, asNobody);
      const { headers } = answer;
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; " +
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect([headers.get("x-content-type-options"), headers.get("referrer-policy")]).toEqual([
        "nosniff",
        "no-referrer",
      ]);
      expect(headers.get("access-control-allow-origin")).toBeNull();
      const html = await answer.text();
      expect(html).not.toMatch(/(?:src|<link[^>]*href)="https?:|style="|<script>/);
    }
  });

  it("links guides to the operations that they use, and operations back to the guides", async () => {
    expect(
      linksOf((await textAt("/docs/log-time")).text.split('id="operations-used-here"')[1] ?? ""),
    ).toEqual(expect.arrayContaining(["/docs/listProjects", "/docs/createTimeEntry"]));
    const operation = (await textAt("/docs/sendDeliverable")).text.split('id="next"')[1] ?? "";
    expect(linksOf(operation)).toEqual(expect.arrayContaining(["/docs/review", "/docs/getDeliverable"]));
  });

  it("begins a guide with the client in each language, with the setup collapsed [R14]", async () => {
    const guides = (await textAt("/llms.txt")).text.split("## Guides")[1]?.split("\n## ")[0] ?? "";
    const slugs = [...guides.matchAll(/\]\(\/docs\/([\w-]+)\.md\)/g)].map(([, slug]) => slug);
    expect(slugs.length).toBeGreaterThan(8);
    for (const slug of slugs) {
      const { text } = await textAt(`/docs/${slug}`);
      const unfolded = text.replaceAll(/<details[\s\S]*?<\/details>/g, "");
      const [, caption = ""] =
        /<figure class="code[^"]*"><figcaption>(.*?)<\/figcaption>/.exec(unfolded) ?? [];
      expect([slug, caption.includes("TypeScript") && caption.includes("Python")]).toEqual([slug, true]);
    }
  });

  it("lists a page's sections and links to the previous and next page [R14]", async () => {
    for (const [path, previous, next, section] of [
      ["/docs/log-time", "/docs/versions", "/docs/invoices", "in-a-shell"],
      ["/docs/createProject", "/docs/listProjects", "/docs/getProject", "responses"],
      ["/docs", undefined, "/docs/first-call", undefined],
      ["/docs/changelog", "/docs/support", undefined, undefined],
    ]) {
      const { text } = await textAt(path ?? "");
      const neighbors = ["prev", "next"].map(
        (rel) => new RegExp(`rel="${rel}" href="([^"]+)"`).exec(text)?.[1],
      );
      expect([path, ...neighbors]).toEqual([path, previous, next]);
      if (section) expect(text).toMatch(new RegExp(`aria-label="On this page">.*href="#${section}"`));
    }
  });

  it("shows each variant of a body separately, with its required fields", async () => {
    const { text } = await textAt("/docs/createTimeEntry");
    const shapes = text.split('class="option"').slice(1, 3);
    const required = shapes.map((shape) =>
      [...shape.matchAll(/<code>(\w+)<\/code><span>[^<]*<\/span><span class="required">/g)].map(
        ([, name]) => name,
      ),
    );
    expect(required).toEqual([
      ["project_id", "hours", "spent_date"],
      ["project_id", "started_at", "ended_at"],
    ]);
  });

  it("lists every error under its code", async () => {
    const { text } = await textAt("/docs/errors");
    const codes = new Set(
      [...JSON.stringify(openapi.paths).matchAll(/"code":"(\w+)"/g)].map(([, code]) => code),
    );
    expect(codes.size).toBeGreaterThan(10);
    for (const code of codes) expect(text).toContain(`<h3 id="${code}">`);
  });

  it("uses the site's own address and a placeholder for the token in its examples [R14]", async () => {
    for (const path of ["/docs/first-call", "/docs/first-call.md", "/llms.txt", "/api-v1/openapi.json"]) {
      const answer = await call(nobody, path, { ...asNobody, base: "https://partners.example" });
      const text = await answer.text();
      expect(text).toContain("https://partners.example");
      expect(text).not.toContain("https://api.example.com");
      expect(text).toContain("YOUR_TOKEN");
    }
  });

  it.each([
    ["http://localhost:8787", true],
    [baseUrl, false],
  ])("shows the apikey and token of npm start in its examples at %s: %s", async (base, areShown) => {
    const DOCS_TOKEN = `svc_${"0".repeat(36)}`;
    const answer = await documentation(
      `${base}/llms-full.txt`,
      { ...env, DOCS_TOKEN },
      { hasSession: false },
    );
    const text = await answer.text();
    for (const own of [DOCS_TOKEN, env.GATEWAY_PUBLIC_KEY]) expect(text.includes(own)).toBe(areShown);
    expect(text.includes("YOUR_TOKEN")).toBe(!areShown);
  });

  it.each(["/docs/nothing", "/docs/..%2fapi-v1%2fopenapi.json", "/docs/a/b"])(
    "returns 404 not_found for %s",
    async (path) => {
      const answer = await call(nobody, path, { token: null });
      expect([answer.status, await answer.json()]).toEqual([404, { error: "Not found", code: "not_found" }]);
    },
  );

  it("is not served over plain HTTP", async () => {
    for (const path of ["/", "/docs", "/api-v1/openapi.json"]) {
      const answer = await call(nobody, path, { token: null, base: "http://api.example.com" });
      expect(answer.status).toBe(403);
    }
  });
});

describe("pages for machines, which need no key,", () => {
  it("begin at /llms.txt with the guides, without a broken link [R14]", async () => {
    const { status, type, text } = await textAt("/llms.txt");
    expect([status, type]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(text).toMatch(
      /^# Countersign partner API\n\n> The API gives you access to the workspace of a freelancer or an agency/,
    );
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading).slice(0, 3)).toEqual([
      "Guides",
      "Start",
      "Tools",
    ]);
    const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, link]) => link as string);
    for (const { operationId } of operations) expect(links).toContain(`/docs/${operationId}.md`);
    for (const link of links) expect((await textAt(link)).status, link).toBe(200);
  });

  it("are combined in one file at /llms-full.txt [R14]", async () => {
    const { text: full } = await textAt("/llms-full.txt");
    for (const page of ["log-time", "webhooks", "changelog", "createInvoice"])
      expect(full).toContain((await textAt(`/docs/${page}.md`)).text.trim());
  });

  it("link to Markdown pages, not to files in a repository", async () => {
    const { text } = await textAt("/llms-full.txt");
    const outside = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
    const links = [...outside.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link.split("#")[0]);
    for (const link of new Set(links.filter((link) => link !== "")))
      expect(link).toMatch(
        /^(?:https:\/\/|\/docs\/[\w-]+\.(?:md|json)$|\/docs\/SKILL\.md$|\/[\w.-]+\.txt$|\/\.well-known\/)/,
      );
  });

  it.each(operations)("describe $call", async ({ call: called, operationId, summary }) => {
    const { status, type, text } = await textAt(`/docs/${operationId}.md`);
    expect([status, type]).toEqual([200, "text/markdown; charset=utf-8"]);
    expect(text.startsWith(`# ${summary}\n\n\`${called}\``)).toBe(true);
    expect(text).toContain("| 401 |  | The token is missing, malformed, unknown, revoked or expired |");
    expect(text).not.toMatch(/undefined|\[object/);
  });

  it.each([
    ["/llms.txt", "llms.txt"],
    ["/robots.txt", "robots.txt"],
    ["/.well-known/api-catalog", "api-catalog.json"],
    ...["createTimeEntry", "getDeliverableVersionImage", "legacyListClients", "listInvoices", "errors"].map(
      (name) => [`/docs/${name}.md`, `${name}.md`],
    ),
  ])("match the approved files: %s", async (path, file) => {
    await expect((await textAt(path)).text).toMatchFileSnapshot(`./documents/${file}`);
  });

  it("show a response's fields with their types, even inside lists", async () => {
    const { text } = await textAt("/docs/getInvoice.md");
    expect(text).toContain("| `amount_due` | number | yes |");
    expect(text).toContain("| `line_items[].time_entry_id` | string (uuid) or null | yes |");
  });

  it("describe every event with its fields and an example", async () => {
    const { text } = await textAt("/docs/events.md");
    for (const event of Object.keys(openapi.webhooks)) {
      expect(text).toContain(`## ${event}\n`);
      expect(text).toContain(`"event": "${event}"`);
    }
    expect(text).toContain("| `data.amount_received` | number | yes |");
  });

  it("name the API description (RFC 9727) and the security contact (RFC 9116) [R14]", async () => {
    const catalog = await textAt("/.well-known/api-catalog");
    expect(catalog.type).toBe('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"');
    const { linkset } = JSON.parse(catalog.text);
    const [described] = linkset[0]["service-desc"];
    expect((await textAt(new URL(described.href).pathname)).status).toBe(200);
    const security = await textAt("/.well-known/security.txt");
    expect(security.type).toBe("text/plain; charset=utf-8");
    const fields = Object.fromEntries(
      security.text
        .trim()
        .split("\n")
        .map((line) => line.split(/: (.*)/s)),
    );
    expect(fields).toMatchObject({
      Contact: "https://api.example.com/docs/support",
      Canonical: "https://api.example.com/.well-known/security.txt",
    });
    const days = (Date.parse(fields.Expires ?? "") - Date.now()) / 86_400_000;
    expect([days > 90, days < 365]).toEqual([true, true]);
  });
});
