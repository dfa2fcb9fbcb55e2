/**
 * Refuses to upload the top level of wrangler.toml, whose keys are public: `wrangler deploy --env production` alone
 * deploys. `[build]` runs this before every upload; `[env.production.build]` does not.
 */
import { execFileSync } from "node:child_process";

const uploads = ["deploy", "versions upload"];
const command = process.env.WRANGLER_COMMAND ?? "";

/** What the commands above this one were called with: a dry run uploads nothing. */
function* callers(): Generator<string> {
  for (let pid = process.ppid, depth = 0; pid > 1 && depth < 12; depth += 1) {
    const line = execFileSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" }).trim();
    const [parent = "0", ...words] = line.split(/\s+/);
    yield words.join(" ");
    pid = Number(parent);
  }
}

function isDryRun(): boolean {
  try {
    return [...callers()].some((line) => /wrangler.* --dry-run/.test(line));
  } catch {
    return false;
  }
}

if (uploads.includes(command) && !isDryRun()) {
  console.error(
    "This would deploy the keys of local development, which are public. Deploy with --env production " +
      "(docs/operations.md).",
  );
  process.exit(1);
}
