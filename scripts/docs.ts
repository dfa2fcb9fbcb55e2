/** Lays out the documentation page: swagger-ui's files beside a page that loads /api-v1/openapi.json. No network. */
import { cpSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const source = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const target = join(import.meta.dirname, "..", ".wrangler", "docs", "docs");

mkdirSync(target, { recursive: true });
for (const file of ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"]) {
  cpSync(join(source, file), join(target, file));
}
cpSync(join(import.meta.dirname, "docs-page"), target, { recursive: true });
