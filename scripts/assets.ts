/**
 * Builds the Worker's static assets in .wrangler/docs, unless they are already built from the same files, because
 * building takes seconds.
 */
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const folder = join(root, ".wrangler", "docs");
const madeOf = `${folder}.sha256`;
/** Written last, so its presence marks a complete build. */
const last = join(folder, "_headers");

function digest(): string {
  const hash = createHash("sha256");
  const files = ["openapi.json", "package-lock.json", "{src,scripts,docs}/**/*.*"];
  for (const file of globSync(files, { cwd: root }).sort()) {
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

const now = digest();
if (!existsSync(last) || !existsSync(madeOf) || readFileSync(madeOf, "utf8") !== now) {
  await import("./docs.ts");
  await import("./stylesheet.ts");
  writeFileSync(madeOf, now);
}
