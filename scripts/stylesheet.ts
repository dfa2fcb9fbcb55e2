/** Writes the pages' stylesheet with its fonts, the scripts and the logo. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { strictTransport } from "../src/http/every-answer.ts";
import { mark } from "../src/pages/mark.ts";

const root = join(import.meta.dirname, "..");
const pages = join(root, "src", "pages");
const assets = join(root, ".wrangler", "docs", "assets");

mkdirSync(assets, { recursive: true });
buildSync({
  entryPoints: [
    join(pages, "styles", "pages.css"),
    ...["settings.js", "review.js", "verify.js"].map((script) => join(pages, "scripts", script)),
  ],
  outdir: assets,
  entryNames: "[name]",
  assetNames: "[name]",
  publicPath: "/assets",
  loader: { ".woff2": "file" },
  // The browsers that support light-dark(). Older browsers show the pages without colors.
  target: ["chrome123", "firefox120", "safari17.5"],
  bundle: true,
  minify: true,
});
writeFileSync(join(assets, "mark.svg"), mark);

/** Headers for files that the platform serves without the Worker (wrangler.toml). */
const headers = `  X-Content-Type-Options: nosniff
  Strict-Transport-Security: ${strictTransport}
  Referrer-Policy: no-referrer
  Cross-Origin-Resource-Policy: same-origin`;
/** Fonts are cached longer, because they change only with their package. */
const fonts = "/assets/*.woff2\n  Cache-Control: public, max-age=604800";
writeFileSync(join(assets, "..", "_headers"), `/assets/*\n${headers}\n/docs/*\n${headers}\n${fonts}\n`);
