import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./installed.ts";

const folder = join(root, "docs", "guides");

const blocksOf = (text: string, language: string): string =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm"))]
    .map(([, code]) => code)
    .join("\n");

/** The commands and the code of each guide, in the order in which they stand there. */
export const guides = readdirSync(folder)
  .filter((name) => name !== "README.md")
  .map((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return {
      name,
      shell: blocksOf(text, "sh"),
      javascript: blocksOf(text, "js"),
      python: blocksOf(text, "python"),
    };
  });

/** Runs commands until one fails; what went wrong, or nothing. */
export function runShell(commands: string, environment: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      "bash",
      ["-c", `set -euo pipefail\n${commands}`],
      { cwd: root, env: environment },
      (error, stdout, stderr) => resolve(error ? `${error.code}: ${stdout.slice(-500)} ${stderr}` : ""),
    );
  });
}
