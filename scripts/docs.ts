/**
 * Lays out what the Worker serves as it is: openapi.json, the document of RPC, swagger-ui in a page with contents, the
 * Postman collection, and llms.txt with its Markdown pages. No network.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { operations } from "../src/operations/operations.ts";
import { navigation } from "./docs-navigation.ts";
import { markdownPages } from "./markdown/pages.ts";
import { rpcDocument } from "./rpc/document.ts";

const root = join(import.meta.dirname, "..");
const source = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const assets = join(root, ".wrangler", "docs");

for (const folder of ["api-v1", "docs", "rpc"]) mkdirSync(join(assets, folder), { recursive: true });
cpSync(join(root, "openapi.json"), join(assets, "api-v1", "openapi.json"));
writeFileSync(join(assets, "rpc", "openapi.json"), JSON.stringify(rpcDocument(operations)));
const served = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];
/** What is served goes with what its licence asks for. */
const licences = ["LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"];
for (const file of [...served, ...licences]) cpSync(join(source, file), join(assets, "docs", file));
cpSync(join(import.meta.dirname, "docs-page"), join(assets, "docs"), { recursive: true });

const collection = "partner-api.postman_collection.json";
cpSync(join(root, "docs", collection), join(assets, "docs", collection));
const document = JSON.parse(readFileSync(join(root, "openapi.json"), "utf8"));
const page = join(assets, "docs", "index.html");
writeFileSync(
  page,
  readFileSync(page, "utf8").replace("<!-- navigation -->", () => navigation(document)),
);
for (const [file, text] of Object.entries(markdownPages(document))) writeFileSync(join(assets, file), text);
