/** Lays out what the Worker serves as it is: openapi.json, and swagger-ui beside a page that shows it. No network. */
import { cpSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const source = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const assets = join(root, ".wrangler", "docs");

for (const folder of ["api-v1", "docs"]) mkdirSync(join(assets, folder), { recursive: true });
cpSync(join(root, "openapi.json"), join(assets, "api-v1", "openapi.json"));
for (const file of ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"]) {
  cpSync(join(source, file), join(assets, "docs", file));
}
cpSync(join(import.meta.dirname, "docs-page"), join(assets, "docs"), { recursive: true });
