import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callsOf, type Document, type DocumentedAnswer, resolved } from "../../scripts/site/document.ts";
import { shapesOf } from "../../scripts/site/fields.ts";
import { render } from "../../scripts/site/markdown.ts";
import { searchEntries } from "../../scripts/site/search.ts";
import { withSetup } from "../../scripts/site/setup.ts";
import { operationsIn, withSiteLinks } from "../../scripts/site/site-links.ts";

const root = join(import.meta.dirname, "..", "..");
const served = join(root, ".wrangler", "docs");
const openapi: Document = JSON.parse(readFileSync(join(root, "openapi.json"), "utf8"));

const noDocument: Document = {
  info: { title: "", version: "", description: "" },
  tags: [],
  paths: {},
  webhooks: {},
  components: {},
};

it("a field's description has its allowed values and each limit once", () => {
  const [shape] = shapesOf(noDocument, {
    required: ["a"],
    properties: {
      a: { type: "string", maxLength: 9, description: "one, and two." },
      b: { type: ["integer", "null"], minimum: 1, maximum: 5, default: 2 },
      c: { items: { enum: ["x", "y"] }, minItems: 1 },
      d: { type: "string", maxLength: 2000, description: "At most 2000 characters" },
      e: { type: "string", format: "uuid", minLength: 1 },
    },
  });
  expect(shape?.fields).toEqual([
    { name: "a", type: "string", isRequired: true, description: "One, and two. At most 9 characters" },
    { name: "b", type: "integer or null", isRequired: false, description: "1 to 5, default 2" },
    { name: "c", type: "list of `x`, `y`", isRequired: false, description: "At least one item" },
    { name: "d", type: "string", isRequired: false, description: "At most 2000 characters" },
    { name: "e", type: "string (uuid)", isRequired: false, description: "" },
  ]);
});

it("an object with named shapes has a list of fields for each shape", () => {
  const shape = (title: string, name: string) => ({ title, required: [name], properties: { [name]: {} } });
  const shapes = shapesOf(noDocument, { oneOf: [shape("One", "a"), shape("Other", "b")] });
  expect(shapes.map(({ title, fields }) => [title, fields.map(({ name }) => name)])).toEqual([
    ["One", ["a"]],
    ["Other", ["b"]],
  ]);
});

it("a 200 has separate lists of fields for a replay and a dry run", () => {
  const marks = ["idempotent_replay", "dry_run", "would_be"];
  const either = callsOf(openapi).flatMap(({ operation: { operationId, responses } }) => {
    const schema = (responses["200"] as DocumentedAnswer | undefined)?.content?.["application/json"]?.schema;
    const shapes = schema ? shapesOf(openapi, resolved(openapi, schema)) : [];
    const marked = shapes.map(({ title, fields }) => [
      title,
      ...fields.flatMap(({ name, isRequired }) => (isRequired && marks.includes(name) ? [name] : [])),
    ]);
    return shapes.length > 1 ? [[operationId, ...marked]] : [];
  });
  const [dryRun, create] = [
    ["A dry run", "dry_run", "would_be"],
    ["A replay", "idempotent_replay"],
  ];
  const keyed = callsOf(openapi).filter(({ operation: { parameters = [] } }) =>
    parameters.some((parameter) => resolved(openapi, parameter).name === "Idempotency-Key"),
  );
  expect(either).toEqual(
    keyed.map(({ operation: { operationId } }) => [
      operationId,
      operationId === "sendDeliverable" ? ["The response or a replay"] : create,
      dryRun,
    ]),
  );
});

describe("Markdown on the site", () => {
  const rendering = {
    code: (blocks: { language: string }[]) => `[${blocks.map(({ language }) => language).join(" ")}]`,
    addressOfCall: (call: string) => (call === "GET /things" ? "/docs/listThings" : undefined),
  };
  const htmlOf = (markdown: string) => render(markdown, rendering).html.trim();

  it("links a file to its page, and leaves a file without a page unlinked", () => {
    const pages = { "docs/a.md": "a", "docs/guides/b.md": "b" };
    const text = "[A](../a.md#one) [B](b.md) [code](../../src/x.ts) [out](https://x.example) [here](#there)";
    expect(withSiteLinks(text, "docs/guides/c.md", pages)).toBe(
      "[A](/docs/a.md#one) [B](/docs/b.md) code [out](https://x.example) [here](#there)",
    );
    const code = "```js\n[a](b.md)\n```";
    expect(withSiteLinks(code, "docs/guides/c.md", pages)).toBe(code);
  });

  it("links calls to their operations, and gives headings the same ids as GitHub", () => {
    expect(htmlOf("`GET /things`")).toBe('<p><a href="/docs/listThings"><code>GET /things</code></a></p>');
    expect(htmlOf("[`GET /things`](/docs/x.md)")).toBe(
      '<p><a href="/docs/x"><code>GET /things</code></a></p>',
    );
    expect(htmlOf("## What `a` is & does\n\n## One\n\n## One")).toBe(
      '<h2 id="what-a-is--does">What <code>a</code> is &amp; does</h2>\n<h2 id="one">One</h2>\n<h2 id="one-1">One</h2>',
    );
  });

  it("collapses a list under a title, but not after an introduction that ends with a colon", () => {
    expect(htmlOf("Reviews\n\n- A\n\nThe pages:\n\n- B")).toBe(
      '<details class="fold"><summary>Reviews <span class="muted">1</span></summary>\n<ul>\n<li>A</li>\n</ul>\n</details>\n' +
        "<p>The pages:</p>\n<ul>\n<li>B</li>\n</ul>",
    );
  });

  it("shows consecutive code blocks in several languages as tabs", () => {
    const block = (language: string) => `\`\`\`${language}\n1\n\`\`\`\n`;
    expect(
      htmlOf([block("sh"), block("js"), block("python"), "Text.\n", block("js"), block("js")].join("\n")),
    ).toBe("[sh js python]<p>Text.</p>\n[js][js]");
    expect(htmlOf([block("sh"), block("text")].join("\n"))).toBe("[sh][text]");
  });
});

describe("a page's setup", () => {
  const block = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`;
  const setupOf = (markdown: string) =>
    /<details>[\s\S]*?<\/details>\n\n/.exec(withSetup(markdown))?.[0] ?? "";

  it("is collapsed before the first example that needs it", () => {
    const [before, after] = ["# A\n\n## B\n\n$URL\n\n", `${block("sh", 'curl "$URL"')}\n## C\n`];
    const setup = setupOf(before + after);
    expect(withSetup(before + after)).toBe(before + setup + after);
    expect(setup).toContain("URL=https://api.example.com");
    for (const other of ["# A\n\n`URL`\n", `# A\n\n${block("json", '{ "PARTNER_API_URL": "" }')}`])
      expect(withSetup(other)).toBe(other);
  });

  it("creates the client and defines the shell functions if the examples use them", () => {
    const parts = (...code: string[]) => {
      const setup = setupOf(code.join("\n"));
      return [setup.includes("api = partnerApi("), setup.includes("field() {")];
    };
    expect(parts(block("js", "await api.clients.list().page();"))).toEqual([true, false]);
    expect(parts(block("sh", 'get "/api-v1/clients" | field data.length'))).toEqual([false, true]);
    expect(
      parts(
        block("js", "const api = partnerApi({ baseUrl: process.env.PARTNER_API_URL });\nawait api.a.b();"),
      ),
    ).toEqual([false, false]);
  });
});

it("the search index has the visible text of a chapter, without collapsed parts", () => {
  const markdown = [
    "# A\n\nSend `Accept: application/problem+json` ([how](/docs/a.md)).\n",
    "<details>\n<summary>B</summary>\n\nC\n\n</details>\n\n| d | e |\n|---|---|\n| **f** | g |\n",
  ].join("\n");
  const [entry] = searchEntries({ slug: "a", title: "A", summary: "Sum.", markdown });
  expect(entry?.text).toBe("Sum. Send Accept: application/problem+json (how). d · e f · g");
});

it("a guide's operations are those that its text, shell or client code calls", () => {
  const source = "api.things.create({})";
  const operation = (operationId: string) => ({ operationId, summary: "", responses: {} });
  const document: Document = {
    ...noDocument,
    paths: {
      "/things": {
        get: operation("listThings"),
        post: {
          ...operation("createThing"),
          "x-codeSamples": [{ lang: "javascript", label: "TypeScript client", source }],
        },
      },
      "/things/{id}": { get: operation("getThing") },
      "/things/{id}/parts": { post: operation("addPart") },
    },
  };
  const used = (markdown: string) =>
    operationsIn(document, markdown).map(({ operation: { operationId } }) => operationId);
  expect(used("Call `GET /things`.")).toEqual(["listThings"]);
  expect(used('get "/things?limit=1"')).toEqual(["listThings"]);
  expect(used("await api.things.create(entry);")).toEqual(["createThing"]);
  expect(used('get "/things/$ID"\npost "/things/$ID/parts" "{}"')).toEqual(["getThing", "addPart"]);
  expect(used('curl --retry 5 "$URL/things" \\\n  -H "a: b" \\\n  -d "{}"')).toEqual(["createThing"]);
  expect(used("Nothing of things.")).toEqual([]);
});

it("static files have the security headers of every response", () => {
  const headers = [
    "X-Content-Type-Options: nosniff",
    "Strict-Transport-Security: max-age=31536000",
    "Referrer-Policy: no-referrer",
    "Cross-Origin-Resource-Policy: same-origin",
  ].map((header) => `  ${header}`);
  const lines = readFileSync(join(served, "_headers"), "utf8").trimEnd().split("\n");
  const fonts = ["/assets/*.woff2", "  Cache-Control: public, max-age=604800"];
  expect(lines).toEqual(["/assets/*", ...headers, "/docs/*", ...headers, ...fonts]);
});
