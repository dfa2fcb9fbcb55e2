/**
 * Builds the Worker's static assets offline: the documentation with its stylesheet and script, openapi.json, the RPC
 * document, and the Postman collection.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";
import { operations } from "../src/operations/operations.ts";
import { collectionOf } from "./collection/collection.ts";
import { rpcDocument } from "./rpc/document.ts";

const root = join(import.meta.dirname, "..");
const assets = join(root, ".wrangler", "docs");
rmSync(assets, { recursive: true, force: true });

/** Bundled first, because Node runs TypeScript but not JSX. */
const program = join(root, ".wrangler", "site.mjs");
buildSync({
  entryPoints: [join(import.meta.dirname, "site", "site.tsx")],
  outfile: program,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "hono/jsx",
});
const { siteOf }: typeof import("./site/site.tsx") = await import(program);

const lay = (path: string, text: string) => {
  mkdirSync(dirname(join(assets, path)), { recursive: true });
  writeFileSync(join(assets, path), text);
};
const document = readFileSync(join(root, "openapi.json"), "utf8");
lay("api-v1/openapi.json", document);
lay("docs/partner-api.postman_collection.json", JSON.stringify(collectionOf(JSON.parse(document)), null, 2));
lay("rpc/openapi.json", JSON.stringify(rpcDocument(operations)));
for (const [path, text] of Object.entries(siteOf(root, JSON.parse(document)))) lay(path, text);
cpSync(join(root, "client", "SKILL.md"), join(assets, "docs", "SKILL.md"));
cpSync(join(root, "docs", "pictures", "review.png"), join(assets, "docs", "pictures", "review.png"));
buildSync({
  entryPoints: ["site.css", "site.js"].map((file) => join(import.meta.dirname, "site", file)),
  outdir: join(assets, "docs"),
  target: ["chrome123", "firefox120", "safari17.5"],
  bundle: true,
  minify: true,
});
