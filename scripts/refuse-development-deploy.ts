/**
 * Prevents uploads of wrangler.toml's top level, whose keys are public. Deploy with `wrangler deploy --env production`
 * instead. `[build]` runs this before every upload; `[env.production.build]` does not.
 */
import { execFileSync } from "node:child_process";
import { isDryRunCommand } from "./dry-run.ts";

const uploads = ["deploy", "versions upload"];
const command = process.env.WRANGLER_COMMAND ?? "";

/** The arguments of the wrangler process running this script, found as its nearest wrangler ancestor. */
function wordsOfWrangler(): string[] {
  for (let pid = process.ppid, depth = 0; pid > 1 && depth < 12; depth += 1) {
    const line = execFileSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" }).trim();
    const [parent = "0", ...words] = line.split(/\s+/);
    const name = words.findIndex((word) => word.endsWith("wrangler-dist/cli.js"));
    if (name >= 0) return words.slice(name + 1);
    pid = Number(parent);
  }
  return [];
}

if (uploads.includes(command) && !isDryRunCommand(wordsOfWrangler())) {
  console.error(
    "This would deploy the keys of local development, which are public. Deploy with --env production " +
      "(docs/operations.md).",
  );
  process.exit(1);
}
