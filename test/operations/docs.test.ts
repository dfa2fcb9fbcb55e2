import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { navigation } from "../../scripts/docs-navigation.ts";
import { fieldTable } from "../../scripts/markdown/fields.ts";

const served = join(import.meta.dirname, "..", "..", ".wrangler", "docs");

const json = (schema: object) => ({ content: { "application/json": { schema } } });

it("the contents of /docs link to each chapter and operation, with the words to find it by", () => {
  const field = (name: string, schema = {}) => ({ properties: { [name]: schema } });
  const list = {
    operationId: "listThings",
    summary: 'List "things" <b>&</b> more',
    tags: ["Odd things"],
    parameters: [{ $ref: "#/components/parameters/Key" }, { name: "limit" }],
    responses: { 200: json({ $ref: "#/components/schemas/Page" }), 204: {} },
  };
  const add = {
    operationId: "addThing",
    summary: "Add a thing",
    tags: ["Odd things"],
    requestBody: json({ oneOf: [field("one_Of"), { anyOf: [field("any_of")] }] }),
    responses: {},
  };
  const document = {
    info: { description: "Before.\n\n## The first call\n\n### Not a chapter\n\n## Values & <more>\n" },
    tags: [{ name: "Odd things" }, { name: "None & nothing" }],
    paths: { "/things": { get: list, post: add } },
    components: {
      schemas: {
        Page: field("data", { items: { $ref: "#/components/schemas/Thing" } }),
        Thing: field("parent", { anyOf: [{ $ref: "#/components/schemas/Thing" }, field("name")] }),
      },
    },
  };
  expect(navigation(document).replaceAll("<li", "\n<li").split("\n")).toEqual([
    "<h2>Introduction</h2><ul>",
    '<li data-words="the first call"><a href="#the-first-call">The first call</a></li>',
    '<li data-words="values &amp; &lt;more>"><a href="#values-more-">Values &amp; &lt;more></a></li>',
    '<li data-words="schemas"><a href="#schemas">Schemas</a></li></ul>',
    "<h2>Odd things</h2><ul>",
    '<li data-words="get /things list &quot;things&quot; &lt;b>&amp;&lt;/b> more listthings limit data parent name">' +
      '<a href="#/Odd%20things/listThings"><b>GET</b> List &quot;things&quot; &lt;b>&amp;&lt;/b> more</a></li>',
    '<li data-words="post /things add a thing addthing one_of any_of">' +
      '<a href="#/Odd%20things/addThing"><b>POST</b> Add a thing</a></li></ul>',
    "<h2>None &amp; nothing</h2><ul></ul>",
  ]);
});

it("a text stays inside its cell of a page for machines, and says what a value may be", () => {
  const info = { title: "", version: "", description: "" };
  const noDocument = { info, tags: [], paths: {}, webhooks: {}, components: {} };
  const table = fieldTable(noDocument, {
    required: ["a"],
    properties: {
      a: { type: "string", maxLength: 9, description: "one | two\n  lines" },
      b: { type: ["integer", "null"], minimum: 1, maximum: 5, default: 2 },
      c: { items: { enum: ["x", "y"] }, minItems: 1 },
    },
  });
  expect(table.split("\n").slice(2)).toEqual([
    "| `a` | string | yes | one \\| two lines. at most 9 characters |",
    "| `b` | integer or null | no | 1 to 5, default 2 |",
    "| `c` | list of `x`, `y` | no | at least 1 items |",
  ]);
});

it.each(["LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"])("Swagger UI goes with its %s", (file) => {
  const installed = createRequire(import.meta.url).resolve(`swagger-ui-dist/${file}`);
  expect(readFileSync(join(served, "docs", file))).toEqual(readFileSync(installed));
});

it("files that the platform serves by itself carry what every answer carries", () => {
  const headers = [
    "X-Content-Type-Options: nosniff",
    "Strict-Transport-Security: max-age=31536000",
    "Referrer-Policy: no-referrer",
    "Cross-Origin-Resource-Policy: same-origin",
  ].map((header) => `  ${header}`);
  const lines = readFileSync(join(served, "_headers"), "utf8").trimEnd().split("\n");
  expect(lines).toEqual(["/assets/*", ...headers, "/docs/*", ...headers]);
});
