/** `npm run build:client [-- --outdir DIRECTORY]` builds the package, in client/dist by default. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const client = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { outdir: { type: "string", default: join(client, "dist") } } });
const dist = resolve(values.outdir);
const tsc = join(
  dirname(createRequire(join(client, "..", "package.json")).resolve("typescript/package.json")),
  "bin",
  "tsc",
);

rmSync(dist, { recursive: true, force: true });
const source = (...path: string[]) => join(client, ...path);
await build({
  entryPoints: {
    index: source("src", "index.ts"),
    sqlite: source("src", "stores", "sqlite.ts"),
    d1: source("src", "stores", "d1.ts"),
  },
  outdir: dist,
  bundle: true,
  format: "esm",
  platform: "neutral",
  target: "es2022",
});
await build({
  entryPoints: { "partner-api": source("cli", "partner-api.ts") },
  outdir: dist,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
});
chmodSync(join(dist, "partner-api.js"), 0o755);
const types = join(dist, "types");
execFileSync(process.execPath, [tsc, "-p", source("tsconfig.build.json"), "--outDir", types], {
  stdio: "inherit",
});
if (!existsSync(join(types, "index.d.ts"))) throw new Error("tsc wrote no types");
