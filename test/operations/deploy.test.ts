import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isDryRunCommand } from "../../scripts/dry-run.ts";

/**
 * `wrangler deploy` at the top level of wrangler.toml would upload public development keys, so only dry runs are
 * allowed.
 */

let directory: string;
let wrangler: string;

/** Creates a fake wrangler that runs the build like the real one but does not upload. */
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "deploy-"));
  mkdirSync(join(directory, "wrangler-dist"));
  wrangler = join(directory, "wrangler-dist", "cli.js");
  const guard = join(import.meta.dirname, "..", "..", "scripts", "refuse-development-deploy.ts");
  const build = JSON.stringify(`"${process.execPath}" --no-warnings "${guard}"; exit $?`);
  writeFileSync(
    wrangler,
    `const [command] = /^(?:versions )?[a-z]+/.exec(process.argv.slice(2).join(" "));
    const env = { ...process.env, WRANGLER_COMMAND: command };
    const { status } = require("node:child_process").spawnSync("sh", ["-c", ${build}], { env });
    process.exitCode = status;`,
  );
});
afterAll(() => rmSync(directory, { recursive: true }));

const exitCodeOf = (line: string) =>
  spawnSync("sh", ["-c", line, process.execPath, wrangler], { encoding: "utf8" }).status;

it.each([
  ["deploy", 1],
  ["versions upload", 1],
  ["deploy --dry-run", 0],
  ["dev", 0],
])("wrangler %s exits with %i", (parameters, exitCode) => {
  expect(exitCodeOf(`"$0" "$1" ${parameters}; exit $?`)).toBe(exitCode);
});

it.each([
  ["deploy", false],
  ["deploy --dry-run", true],
  ["deploy --outdir dist --dry-run=true --minify", true],
  ["deploy --dry-run=false", false],
  ["deploy --dry-run false", false],
  ["deploy --dry-run --no-dry-run", false],
  ["deploy --dry-run --No-Dry-Run", false],
  ["deploy --name x--dry-run", false],
])("wrangler %s is a dry run: %s", (words, expected) => {
  expect(isDryRunCommand(words.split(" "))).toBe(expected);
});

it("a deploy after a dry run in the same shell is not a dry run", () => {
  const dryRun = '"$0" "$1" deploy --dry-run --env production';
  expect(exitCodeOf(`${dryRun}; "$0" "$1" deploy; exit $?`)).toBe(1);
  const named = 'sh -c \'true npx wrangler deploy --dry-run; "$0" "$1" deploy; exit $?\'';
  expect(exitCodeOf(`${named} "$0" "$1"; exit $?`)).toBe(1);
});

it.each([
  {
    variable: "DEPRECATIONS",
    good: deprecationOf("/api-list-clients"),
    bad: deprecationOf("/api-v1/clients"),
    refusal: "DEPRECATIONS /api-v1/clients: not deprecated in openapi.json",
  },
  { variable: "MAIL_QUOTA", good: "500", bad: "0", refusal: 'MAIL_QUOTA "0": not a number of mails a day' },
  { variable: "BACKUP_HOUR", good: "23", bad: "24", refusal: 'BACKUP_HOUR "24": not an hour from 0 to 23' },
])("an invalid production $variable is rejected before a deploy", ({ variable, good, bad, refusal }) => {
  const [root, folder] = [join(import.meta.dirname, "..", ".."), mkdtempSync(join(directory, "wrangler-"))];
  cpSync(join(root, "openapi.json"), join(folder, "openapi.json"));
  const readable = { DEPRECATIONS: "{}", MAIL_QUOTA: "", BACKUP_HOUR: "", [variable]: good };
  const table = (name: string, vars: Record<string, string>) =>
    `[${name}]\n${Object.entries(vars)
      .map(([key, value]) => `${key} = '${value}'\n`)
      .join("")}`;
  writeFileSync(
    join(folder, "wrangler.toml"),
    `name = "x"\n${table("vars", readable)}${table("env.staging.vars", readable)}` +
      table("env.production.vars", { ...readable, [variable]: bad }),
  );
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--no-warnings", join(root, "scripts", "variables.ts")],
    { cwd: folder, encoding: "utf8", env: { ...process.env, WRANGLER_COMMAND: "versions upload" } },
  );
  expect(stderr).toContain(refusal);
  expect(status).toBe(1);
});

function deprecationOf(path: string): string {
  return JSON.stringify({
    [path]: { deprecated_at: "2026-01-01T00:00:00Z", sunset_at: "2026-06-30T00:00:00Z" },
  });
}
