/**
 * Refuses a DEPRECATIONS that is not valid. `npm run check` runs this, and `[build]` of wrangler.toml before every
 * deploy.
 */
import { readFile } from "node:fs/promises";
import { parseDeprecations } from "../src/http/deprecations.ts";

type Document = { paths: Record<string, Record<string, { deprecated?: boolean }>> };

async function checkDeprecations(): Promise<void> {
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const { paths }: Document = JSON.parse(await readFile("openapi.json", "utf8"));
  for (const env of ["", "production"]) {
    const { vars } = readConfig({ config: "wrangler.toml", env });
    for (const path of Object.keys(parseDeprecations(String(vars.DEPRECATIONS)))) {
      const isDeprecated = Object.values(paths[path] ?? {}).some(({ deprecated }) => deprecated);
      if (!isDeprecated) throw new Error(`DEPRECATIONS ${path}: not deprecated in openapi.json`);
    }
  }
}

// A local server starts without the second that this takes.
if (process.env.WRANGLER_COMMAND !== "dev") await checkDeprecations();
