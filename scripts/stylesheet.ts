/**
 * Lays out the one stylesheet and the one script of the pages. The stylesheet: Pico as it is kept by others, then our
 * own, in one file. No network.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { strictTransport } from "../src/http/every-answer.ts";

const root = join(import.meta.dirname, "..");
const base = createRequire(import.meta.url).resolve("@picocss/pico/css/pico.min.css");
const own = readFileSync(join(root, "src", "pages", "pages.css"), "utf8");
const assets = join(root, ".wrangler", "docs", "assets");

mkdirSync(assets, { recursive: true });
const { code } = transformSync(own, { loader: "css", minify: true });
cpSync(join(root, "src", "pages", "live.js"), join(assets, "live.js"));
writeFileSync(join(assets, "pages.css"), readFileSync(base, "utf8") + code);

/** Files that the platform serves without the Worker (wrangler.toml); what holds for its answers holds for them. */
const headers = `  X-Content-Type-Options: nosniff
  Strict-Transport-Security: ${strictTransport}
  Referrer-Policy: no-referrer
  Cross-Origin-Resource-Policy: same-origin`;
writeFileSync(join(assets, "..", "_headers"), `/assets/*\n${headers}\n/docs/*\n${headers}\n`);
