/**
 * Rejects variables in wrangler.toml that the Worker cannot parse. Runs in `npm run check`, and before every deploy
 * (`[build]` in wrangler.toml).
 */
import { readFile } from "node:fs/promises";
import { parseDeprecations } from "../src/http/deprecations.ts";

type Document = { paths: Record<string, Record<string, { deprecated?: boolean }>> };

const environments = ["", "staging", "production"];

/** Variables that must be empty or a number. */
const numbers = {
  MAIL_QUOTA: { form: /^[1-9]\d*$/, name: "a number of mails a day" },
  BACKUP_HOUR: { form: /^(1?\d|2[0-3])$/, name: "an hour from 0 to 23" },
};

async function checkVariables(): Promise<void> {
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const { paths }: Document = JSON.parse(await readFile("openapi.json", "utf8"));
  for (const env of environments) {
    const { vars } = readConfig({ config: "wrangler.toml", env }, { hideWarnings: true });
    for (const path of Object.keys(parseDeprecations(String(vars.DEPRECATIONS)))) {
      const isDeprecated = Object.values(paths[path] ?? {}).some(({ deprecated }) => deprecated);
      if (!isDeprecated) throw new Error(`DEPRECATIONS ${path}: not deprecated in openapi.json`);
    }
    for (const [variable, { form, name }] of Object.entries(numbers)) {
      const value = String(vars[variable]);
      if (value !== "" && !form.test(value)) throw new Error(`${variable} "${value}": not ${name}`);
    }
  }
}

// A local server skips this check, because it takes a second.
if (process.env.WRANGLER_COMMAND !== "dev") await checkVariables();
